// The page: it keeps the document and what was entered, and asks the server for everything else.
"use strict";

const $ = (id) => document.getElementById(id);

/** Asks the server one question at a time: a new question cancels the one before. */
class Channel {
  constructor(take) {
    this.take = take;
    this.nonce = 0;
  }

  async ask(command, more) {
    const nonce = ++this.nonce;
    if (!this.socket || this.socket.readyState > WebSocket.OPEN) this.connect();
    if (this.socket.readyState === WebSocket.CONNECTING) {
      await new Promise((done) => this.socket.addEventListener("open", done));
    }
    if (nonce !== this.nonce) return;
    const { document, entered, marks } = state;
    this.socket.send(JSON.stringify({ nonce, command, document, entered, marks, ...more }));
  }

  connect() {
    this.socket = new WebSocket(`ws://${location.host}/ask`);
    this.socket.onclose = () => say("the server has gone: start csp-sudoku serve again", "bad");
    this.socket.onmessage = (event) => {
      const answer = JSON.parse(event.data);
      if (answer.nonce === this.nonce) this.take(answer);
    };
  }
}

const puzzles = new Channel(takePuzzle), board = new Channel(takeBoard), live = new Channel(takeLive);
const asked = new Channel(takeAnswer), vocabulary = new Channel(takeRules);

const state = {
  document: "", cells: [], values: [], givens: {}, // the puzzle
  entered: {}, marks: {}, past: [], // what the user has entered
  true: null, // the candidates that some solution has, once they are known
  at: 0, chosen: new Set(), typed: "", // the cursor, the selected cells, the digits of a number
  get name() { return this.cells[this.at]?.[0]; },
};
let player = null;

// Small helpers

function say(text, mood = "") {
  $("status").textContent = text;
  $("status").className = mood;
}

function make(name, properties, ...children) {
  const { label, ...others } = properties;
  const made = Object.assign(document.createElement(name), others);
  if (label) made.setAttribute("aria-label", label);
  made.append(...children);
  return made;
}

function button(text, label, act) {
  return make("button", { type: "button", textContent: text, label, onclick: act });
}

function save(name, text) {
  const link = make("a", { href: URL.createObjectURL(new Blob([text])), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

// The puzzle and its rules

function takePuzzle(answer) {
  if (answer.type === "invalid") return say(answer.message, "bad");
  const { document, cells, values, givens, entered, marks } = answer;
  Object.assign(state, { document, cells, values, givens });
  if (answer.type === "read") {
    Object.assign(state, { entered, marks, past: [], chosen: new Set() });
    state.at = Math.max(0, cells.findIndex(([name]) => !(name in givens)));
  }
  $("title").textContent = answer.title;
  $("rules").replaceChildren(...answer.rules.map((text, i) => make("li", {}, text,
    button("×", `remove: ${text}`, () => puzzles.ask("change", { remove: i })))));
  $("rules").append(...answer.leftOut.map((text) => make("li", { className: "bad" }, `left out: ${text}`)));
  $("algorithm").replaceChildren(new Option("Watch an algorithm …", ""),
    ...Object.entries(answer.algorithms).map(([key, text]) => new Option(text, key)));
  closeRule();
  refresh();
}

function takeRules({ rules, more }) {
  $("found").replaceChildren(...rules.map((rule) => make("li", {},
    make("button", { type: "button", onclick: () => openRule(rule) }, ...pictureOf(rule), rule.summary))));
  if (more) $("found").append(make("li", { className: "soft" }, `and ${more} more: search for one`));
}

function pictureOf({ picture }) {
  return picture ? [make("img", { alt: "", src: `data:image/svg+xml,${encodeURIComponent(picture)}` })] : [];
}

/** Show a form with a field for each parameter of a rule; cells come from the selection. */
function openRule(rule) {
  $("found").replaceChildren();
  const inputs = rule.fields.map(({ name, takes, default: usual }) => {
    const value = /cell/.test(takes) ? [...state.chosen].join(" ") : "";
    const hint = [takes, usual && usual !== "None" && `usually ${usual}`].filter(Boolean).join("; ");
    const input = make("input", { name, value, placeholder: hint, title: hint, spellcheck: false });
    return make("label", {}, name, input);
  });
  $("add").replaceChildren(...pictureOf(rule), make("p", {}, rule.summary), ...inputs,
    make("p", { className: "row" }, make("button", { textContent: "Add" }), button("Cancel", "do not add it", closeRule)));
  $("add").dataset.type = rule.name;
  $("add").hidden = false;
  ($("add").querySelector("input:placeholder-shown") || $("add").querySelector("button")).focus();
}

function closeRule() {
  $("add").hidden = true;
  $("search").value = "";
  $("found").replaceChildren();
}

// The board

function refresh() {
  state.true = null;
  look();
  drawPad();
  say("…");
  live.ask("live");
}

function look() {
  board.ask("look", $("show-true").checked && state.true ? { shown: state.true } : {});
}

function takeBoard(answer) {
  if (answer.type === "invalid") return say(answer.message, "bad");
  $("board").innerHTML = answer.picture;
  $("clashes").replaceChildren(...answer.clashes.map((text) => make("li", {}, text)));
  if (answer.solved) say("solved", "good");
  drawCursor();
}

function takeLive(answer) {
  if (answer.type === "invalid") return say(answer.message, "bad");
  if (answer.solutions) {
    say(answer.solutions, answer.mood);
    $("status").title = answer.method || "";
  }
  if (answer.why) $("clashes").append(make("li", {}, answer.why));
  if (answer.true) {
    state.true = answer.true;
    drawPad();
    if ($("show-true").checked) look();
  }
}

/** Change what is entered; `change` gets a copy of the digits and one of the marks. */
function enter(change) {
  const { entered, marks } = state;
  state.past.push({ entered, marks });
  state.entered = { ...entered };
  state.marks = { ...marks };
  change(state.entered, state.marks);
  if (JSON.stringify(entered) === JSON.stringify(state.entered)) look();
  else refresh();
  drawPad();
}

function open() {
  const cells = state.chosen.size ? [...state.chosen] : [state.name];
  return cells.filter((cell) => !(cell in state.givens));
}

function enterValue(value) {
  enter((entered, marks) => {
    if (state.name in state.givens) return;
    entered[state.name] = value;
    delete marks[state.name];
  });
}

/** Put a mark into the selected cells; remove it if all of them have it. */
function enterMark(value) {
  enter((entered, marks) => {
    const cells = open().filter((cell) => !(cell in entered));
    const all = cells.every((cell) => marks[cell]?.includes(value));
    for (const cell of cells) {
      const others = (marks[cell] || []).filter((other) => other !== value);
      marks[cell] = all ? others : [...others, value].sort((a, b) => a - b);
      if (!marks[cell].length) delete marks[cell];
    }
  });
}

function empty() {
  enter((entered, marks) => open().forEach((cell) => (delete entered[cell], delete marks[cell])));
}

function undo() {
  if (state.past.length) Object.assign(state, state.past.pop());
  refresh();
}

function drawPad() {
  const { name, values, givens, entered, marks } = state;
  const free = state.true?.[name], held = givens[name] ?? entered[name];
  const holds = name in givens ? `given ${held}` : held ?? (marks[name] ? `marks ${marks[name].join(" ")}` : "empty");
  $("pad").classList.toggle("marks", $("mark").checked);
  $("where").textContent = name ? `${name}: ${holds}` : "";
  $("pad").replaceChildren(...values.map((value) => {
    const impossible = free && !(name in givens) && !free.includes(value);
    const act = () => {
      if (impossible && held !== value) asked.ask("why", { cell: name, value });
      else if ($("mark").checked) enterMark(value);
      else enterValue(value);
    };
    const made = button(value, impossible ? `why not ${value}?` : `digit ${value}`, act);
    if (impossible) made.className = "impossible";
    return made;
  }));
}

function drawCursor() {
  const picture = $("board").querySelector("svg > g[transform]");
  if (!picture) return;
  picture.querySelectorAll(".cursor, .chosen").forEach((old) => old.remove());
  state.cells.forEach(([name, row, column], i) => {
    const box = { x: column * UNIT, y: row * UNIT, width: UNIT, height: UNIT };
    if (state.chosen.has(name)) draw(picture, "rect", { ...box, class: "chosen" });
    if (i === state.at) draw(picture, "rect", { ...box, class: "cursor" });
  });
}

function move(row, column, extend) {
  const to = state.cells.findIndex(([, r, c]) => r === row && c === column);
  if (to < 0) return;
  if (!extend) state.chosen.clear();
  state.at = to;
  state.typed = "";
  state.chosen.add(state.name);
  drawCursor();
  drawPad();
}

$("board").addEventListener("pointerdown", (event) => {
  const picture = $("board").querySelector("svg > g[transform]");
  if (!picture) return;
  const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(picture.getScreenCTM().inverse());
  move(Math.floor(at.y / UNIT), Math.floor(at.x / UNIT), event.shiftKey || event.ctrlKey);
});

$("board").addEventListener("keydown", (event) => {
  const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
  const [, row, column] = state.cells[state.at] || [];
  if (step) move(row + step[0], column + step[1], event.shiftKey);
  else if (/^[0-9]$/.test(event.key)) type(event.key);
  else if (event.key === "m") $("mark").click();
  else if (event.key === "z" && (event.ctrlKey || event.metaKey)) undo();
  else if (["Delete", "Backspace"].includes(event.key)) empty();
  else return;
  event.preventDefault();
});

/** Take a digit; in large grids, two digits one after the other are one number. */
function type(digit) {
  const longer = Number(state.typed + digit);
  state.typed = state.values.includes(longer) ? state.typed + digit : digit;
  const value = Number(state.typed);
  if (!state.values.includes(value)) return;
  if ($("mark").checked) enterMark(value);
  else enterValue(value);
}

// Answers

function takeAnswer(answer) {
  if (answer.type === "invalid") return show(answer.message);
  if (answer.film) return play(answer);
  if (answer.row) return compareRow(answer.row);
  if (answer.verdict) return compareEnd(answer);
  if (answer.file) return save(answer.file, answer.content);
  show(answer.text, answer.picture);
  const { placed, marks } = answer;
  if (!placed || (!Object.keys(placed).length && !Object.keys(marks).length)) return;
  const act = () => enter((entered, own) => (Object.assign(entered, placed), Object.assign(own, marks),
    Object.keys(placed).forEach((cell) => delete own[cell])));
  $("answer").append(make("p", { className: "row" }, button("Do it", "do this step", act),
    button("Do it, next hint", "do this step and ask for the next one", () => (act(), asked.ask("hint")))));
}

function show(text, picture = "") {
  player?.close();
  player = null;
  $("answer").replaceChildren(make("p", { textContent: text }));
  $("answer").insertAdjacentHTML("beforeend", picture);
}

function play({ film, board: picture }) {
  show("");
  $("answer").innerHTML = `<div class="player"><h2></h2><div class="stage"><div class="board">${picture}</div><div class="beside"></div></div></div>`;
  $("answer").querySelector("h2").textContent = film.title;
  player = new Player($("answer").firstChild, film);
  const algorithm = $("algorithm").value;
  $("answer").append(button("Save as a page", "save the film as one HTML file", () => asked.ask("save-film", { algorithm })));
}

const COLUMNS = ["solver", "says", "solutions", "compile", "solve", "work", "size"];

function compareRow(row) {
  let table = $("answer").querySelector("table");
  if (!table) {
    show("");
    table = make("table", {}, make("thead", {}, make("tr", {}, ...COLUMNS.map((name) => make("th", { textContent: name })))), make("tbody", {}));
    $("answer").append(table);
  }
  const before = [...table.tBodies[0].rows].find((line) => line.cells[0].textContent === row.solver);
  const line = before || table.tBodies[0].insertRow();
  line.replaceChildren(...COLUMNS.map((name) => make("td", { className: name, textContent: row[name] ?? (name === "says" ? "at work …" : "") })));
}

function compareEnd({ verdict, details, file, content }) {
  $("answer").append(make("h2", { textContent: verdict }), ...details.filter(Boolean).map((text) => make("p", { textContent: text })),
    button("Save the report", "save the report as one HTML file", () => save(file, content)));
}

// What the user does elsewhere

function read(text) {
  if (text.trim()) puzzles.ask("read", { text });
}

$("source").addEventListener("submit", (event) => {
  event.preventDefault();
  read($("text").value);
});
$("example").addEventListener("change", (event) => read(event.target.value));
$("file").addEventListener("change", async (event) => {
  const [file] = event.target.files;
  if (file) read(await file.text());
});
$("mark").addEventListener("change", drawPad);
$("show-true").addEventListener("change", look);
$("undo").addEventListener("click", undo);
$("clear").addEventListener("click", () => enter((entered, marks) => {
  for (const cell of Object.keys(entered)) delete entered[cell];
  for (const cell of Object.keys(marks)) delete marks[cell];
}));
$("save").addEventListener("click", () => save("puzzle.json", state.document));
for (const when of ["input", "focus"]) {
  $("search").addEventListener(when, () => vocabulary.ask("rules", { text: $("search").value }));
}
$("add").addEventListener("submit", (event) => {
  event.preventDefault();
  const filled = [...new FormData($("add"))].filter(([, text]) => text.trim());
  puzzles.ask("change", { add: { type: $("add").dataset.type, ...Object.fromEntries(filled) } });
});
$("algorithm").addEventListener("change", ({ target }) => {
  if (target.value) asked.ask("film", { algorithm: target.value });
});
for (const each of document.querySelectorAll("[data-ask]")) {
  each.addEventListener("click", () => {
    show("…");
    asked.ask(each.dataset.ask);
  });
}

const examples = JSON.parse(document.body.dataset.examples);
$("example").append(...Object.entries(examples).map(([name, text]) => new Option(name, text)));
read(Object.values(examples)[0]);

// The page: it keeps the document and what was entered, and asks the server for everything else.
"use strict";

const $ = (id) => document.getElementById(id);

/** A socket on which each channel has one question at a time: a new one cancels the one before. */
class Channel {
  constructor(take) {
    this.take = take;
    this.nonce = 0;
  }

  async ask(command, more) {
    const nonce = ++this.nonce;
    if (!this.socket || this.socket.readyState > 1) {
      this.socket = new WebSocket(`ws://${location.host}/ask`);
      this.socket.onmessage = (event) => {
        const answer = JSON.parse(event.data);
        if (answer.nonce === this.nonce) this.take(answer);
      };
      this.socket.onclose = () => say("the server has gone", "bad");
    }
    if (this.socket.readyState === 0) await new Promise((done) => this.socket.addEventListener("open", done));
    if (nonce === this.nonce) this.socket.send(JSON.stringify({ nonce, command, ...state.question(), ...more }));
  }
}

const state = {
  document: "", cells: [], values: [], givens: new Set(), entered: {}, marks: null, past: [],
  at: 0, chosen: new Set(),
  question() { return { document: this.document, entered: this.entered }; },
  get name() { return this.cells[this.at]?.[0]; },
};

const board = new Channel(takeBoard), live = new Channel(takeLive), asked = new Channel(takeAnswer);
let player = null;

function say(text, kind = "") {
  $("status").textContent = text;
  $("status").className = kind;
}

function fill(list, texts, extra) {
  $(list).replaceChildren(...texts.map((text, i) => {
    const item = document.createElement("li");
    item.textContent = text;
    if (extra) item.append(extra(i));
    return item;
  }));
}

function button(text, label, act) {
  const made = document.createElement("button");
  Object.assign(made, { textContent: text, type: "button", onclick: act });
  made.setAttribute("aria-label", label);
  return made;
}

// What comes back

function takeBoard(answer) {
  if (answer.type === "invalid") return say(answer.message, "bad");
  if (answer.type === "rules") {
    $("kinds").replaceChildren(...answer.rules.map(({ name, summary }) => {
      const option = document.createElement("option");
      Object.assign(option, { value: name, textContent: summary });
      return option;
    }));
    const found = answer.rules.find(({ name }) => name === $("rule").value);
    $("about").textContent = found ? found.summary : "";
    return;
  }
  if (answer.document) {
    const { document: text, cells, values } = answer;
    Object.assign(state, { document: text, cells, values, givens: new Set(answer.givens), marks: null, chosen: new Set() });
    if (answer.type === "read") Object.assign(state, { entered: answer.entered, past: [], at: 0 });
    $("title").textContent = answer.title;
    fill("rules", answer.rules, (i) => button("×", `remove: ${answer.rules[i]}`, () => removeRule(i)));
    if (answer.leftOut.length) fill("clashes", answer.leftOut.map((text) => `left out: ${text}`));
    $("algorithm").replaceChildren(new Option("…", ""), ...Object.entries(answer.algorithms).map(([key, text]) => new Option(text, key)));
    return refresh();
  }
  $("board").innerHTML = answer.picture;
  if (answer.clashes.length || !$("clashes").textContent.startsWith("left out")) fill("clashes", answer.clashes);
  drawCursor();
}

function takeLive(answer) {
  if (answer.type === "invalid") return say(answer.message, "bad");
  if (answer.solutions) {
    say(answer.solutions, answer.solutions === "one solution" ? "good" : answer.solutions === "no solution" ? "bad" : "");
    $("status").title = answer.method || "";
  }
  if (answer.why) show(answer.why);
  if (answer.marks) {
    state.marks = answer.marks;
    drawPad();
    if ($("show-marks").checked) look();
  }
}

function takeAnswer(answer) {
  if (answer.type === "invalid") return show(answer.message);
  if (answer.film) return play(answer);
  if (answer.row || answer.verdict) return compareRow(answer);
  show(answer.text, answer.picture);
  if (answer.placed && Object.keys(answer.placed).length) {
    $("answer").append(button("Do it", "do the step", () => enter(answer.placed)));
  }
}

function show(text, picture) {
  if (player) player.close();
  player = null;
  $("answer").textContent = text;
  if (picture) $("answer").insertAdjacentHTML("beforeend", picture);
}

function play({ film, board: picture }) {
  show("");
  $("answer").innerHTML = `<div class="player"><h2></h2><div class="stage"><div class="board">${picture}</div><div class="beside"></div></div></div>`;
  $("answer").querySelector("h2").textContent = film.title;
  player = new Player($("answer").firstChild, film);
}

function compareRow({ row, verdict }) {
  let table = $("answer").querySelector("table");
  if (!table) {
    show("");
    $("answer").innerHTML = "<table><thead><tr><th>solver<th>says<th>compile, ms<th>solve, ms<th>cost</thead><tbody></tbody></table><p></p>";
    table = $("answer").querySelector("table");
  }
  if (verdict) {
    $("answer").querySelector("p").textContent = verdict;
    $("answer").append(button("Save table", "save the table", () => save("compare.csv", [...table.rows].map((line) =>
      [...line.cells].map((cell) => JSON.stringify(cell.textContent)).join(",")).join("\n"))));
    return;
  }
  const line = table.tBodies[0].insertRow();
  for (const key of ["solver", "says", "compile", "solve", "cost"]) {
    const cell = line.insertCell();
    cell.textContent = row[key] ?? "";
    if (typeof row[key] === "number") cell.className = "number";
  }
}

// What the user does

function refresh() {
  state.marks = null;
  look();
  drawPad();
  live.ask("live");
  say("…");
}

function look() {
  const marks = $("show-marks").checked && state.marks;
  board.ask("look", marks ? { marks: Object.fromEntries(Object.entries(marks).filter(([cell]) => !(cell in state.entered) && !state.givens.has(cell))) } : {});
}

function enter(values) {
  state.past.push({ ...state.entered });
  for (const [cell, value] of Object.entries(values)) {
    if (state.givens.has(cell)) continue;
    if (value === null || state.entered[cell] === value) delete state.entered[cell];
    else state.entered[cell] = value;
  }
  refresh();
}

function removeRule(i) {
  const changed = JSON.parse(state.document);
  changed.constraints.splice(i, 1);
  board.ask("describe", { document: JSON.stringify(changed) });
}

function drawPad() {
  const left = state.marks?.[state.name];
  $("pad").replaceChildren(...state.values.map((value) => {
    const made = button(value, `digit ${value}`, () => {
      if (left && !left.includes(value) && state.entered[state.name] !== value) asked.ask("why", { cell: state.name, value });
      else enter({ [state.name]: value });
    });
    if (left && !left.includes(value)) made.className = "impossible";
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

function move(to, extend) {
  if (to < 0) return;
  if (!extend) state.chosen.clear();
  state.at = to;
  if (extend || !state.chosen.size) state.chosen.add(state.name);
  drawCursor();
  drawPad();
}

function find(row, column) {
  return state.cells.findIndex(([, r, c]) => r === row && c === column);
}

$("board").addEventListener("pointerdown", (event) => {
  const picture = $("board").querySelector("svg > g[transform]");
  if (!picture) return;
  const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(picture.getScreenCTM().inverse());
  move(find(Math.floor(at.y / UNIT), Math.floor(at.x / UNIT)), event.shiftKey || event.ctrlKey);
});

$("board").addEventListener("keydown", (event) => {
  const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
  const [, row, column] = state.cells[state.at] || [];
  if (step) move(find(row + step[0], column + step[1]), event.shiftKey);
  else if (/^[0-9]$/.test(event.key) && state.values.includes(Number(event.key))) enter({ [state.name]: Number(event.key) });
  else if (["Delete", "Backspace"].includes(event.key)) enter({ [state.name]: null });
  else return;
  event.preventDefault();
});

$("source").addEventListener("submit", (event) => {
  event.preventDefault();
  board.ask("read", { text: $("text").value });
});
$("example").addEventListener("change", (event) => {
  if (!event.target.value) return;
  $("text").value = event.target.value;
  board.ask("read", { text: event.target.value });
});
$("file").addEventListener("change", async (event) => {
  const [file] = event.target.files;
  if (file) board.ask("read", { text: ($("text").value = await file.text()) });
});
$("show-marks").addEventListener("change", look);
$("undo").addEventListener("click", () => {
  if (state.past.length) state.entered = state.past.pop();
  refresh();
});
$("clear").addEventListener("click", () => enter(Object.fromEntries(Object.keys(state.entered).map((cell) => [cell, null]))));
$("save").addEventListener("click", () => save("puzzle.json", state.document));
$("rule").addEventListener("input", () => board.ask("rules", { text: $("rule").value }));
$("add").addEventListener("submit", (event) => {
  event.preventDefault();
  let more = {};
  try {
    more = JSON.parse(`{${$("more").value}}`);
  } catch {
    return say(`further fields: write them as "sum": 10`, "bad");
  }
  const cells = state.chosen.size ? { cells: [...state.chosen] } : {};
  board.ask("describe", { add: { type: $("rule").value.trim(), ...cells, ...more } });
});
$("algorithm").addEventListener("change", (event) => {
  if (event.target.value) asked.ask("film", { algorithm: event.target.value });
});
for (const each of document.querySelectorAll("[data-ask]")) {
  each.addEventListener("click", () => {
    show("…");
    asked.ask(each.dataset.ask);
  });
}

function save(name, text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  link.download = name;
  link.click();
}

const examples = JSON.parse(document.body.dataset.examples);
$("example").append(...Object.entries(examples).map(([name, text]) => new Option(name, text)));
$("text").value = Object.values(examples)[0];
board.ask("read", { text: $("text").value });

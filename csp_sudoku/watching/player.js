// The player of a film: shows one frame at a time on the board that the library has drawn.
"use strict";

const SVG = "http://www.w3.org/2000/svg";
const UNIT = 64; // the side of a cell in the picture

function draw(parent, name, attributes, text) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  return parent.appendChild(element);
}

class Player {
  constructor(root, film) {
    this.film = film;
    this.at = 0;
    this.timer = null;
    const beside = root.querySelector(".beside");
    beside.innerHTML = `
      <p class="says" role="status" aria-live="polite"></p>
      <div class="controls">
        <button data-go="first" title="first (Home)" aria-label="first">|◀</button>
        <button data-go="back" title="back (←)" aria-label="back">◀</button>
        <button data-go="play" title="play or pause (space)" aria-label="play or pause">▶‖</button>
        <button data-go="next" title="forward (→)" aria-label="forward">▶</button>
        <button data-go="dead" title="next dead end (d)">dead end</button>
        <label>speed <select aria-label="speed">
          <option value="2000">slow</option><option value="700" selected>normal</option>
          <option value="150">fast</option></select></label>
      </div>
      <input type="range" min="0" max="${film.frames.length - 1}" value="0" aria-label="frame">
      <p class="depth"></p>
      <ul class="lines"></ul>`;
    this.says = beside.querySelector(".says");
    this.depth = beside.querySelector(".depth");
    this.lines = beside.querySelector(".lines");
    this.slider = beside.querySelector("input");
    this.speed = beside.querySelector("select");
    const picture = root.querySelector(".board svg > g[transform]"); // the board within its margins
    this.under = draw(picture, "g", { class: "live" });
    this.live = draw(picture, "g", { class: "live" });
    if (film.matrix.rows) this.matrix = draw(beside, "svg", { class: "matrix", role: "img",
      viewBox: `0 0 ${film.matrix.items.length} ${film.matrix.rows.length}`, "aria-label": "the matrix" });
    beside.addEventListener("click", (event) => {
      const button = event.target.closest("[data-go]");
      if (button) this.go(button.dataset.go);
    });
    this.slider.addEventListener("input", () => this.show(Number(this.slider.value)));
    this.keys = (event) => {
      const go = { ArrowRight: "next", ArrowLeft: "back", Home: "first", End: "last", " ": "play", d: "dead" }[event.key];
      if (!go || /^(SELECT|TEXTAREA|INPUT|BUTTON)$/.test(event.target.tagName) && event.key !== "d") return;
      event.preventDefault();
      this.go(go);
    };
    document.addEventListener("keydown", this.keys);
    this.show(0);
  }

  close() {
    this.pause();
    document.removeEventListener("keydown", this.keys);
  }

  go(where) {
    const last = this.film.frames.length - 1;
    if (where !== "play") this.pause();
    if (where === "first") this.show(0);
    if (where === "last") this.show(last);
    if (where === "back") this.show(this.at - 1);
    if (where === "next") this.show(this.at + 1);
    if (where === "dead") {
      const next = this.film.frames.findIndex((frame, i) => i > this.at && frame.k === "dead end");
      this.show(next < 0 ? last : next);
    }
    if (where === "play") {
      if (this.timer) return this.pause();
      if (this.at === last) this.show(0);
      const tick = () => {
        this.show(this.at + 1);
        this.timer = this.at === last ? null : setTimeout(tick, Number(this.speed.value));
      };
      this.timer = setTimeout(tick, 50);
    }
  }

  pause() {
    clearTimeout(this.timer);
    this.timer = null;
  }

  show(number) {
    const { film } = this;
    this.at = Math.max(0, Math.min(film.frames.length - 1, number));
    const frame = film.frames[this.at];
    this.says.dataset.kind = frame.k;
    this.says.textContent = frame.t;
    this.slider.value = this.at;
    this.depth.textContent = `frame ${this.at + 1} of ${film.frames.length}, ${frame.d} choices stand`;
    this.lines.replaceChildren(...(frame.n || []).map((line) => {
      const item = document.createElement("li");
      item.textContent = line;
      return item;
    }));
    this.under.replaceChildren();
    this.live.replaceChildren();
    film.cells.forEach((_, i) => this.cell(i, frame));
    if (this.matrix) this.showMatrix(frame);
  }

  cell(i, frame) {
    const [row, column] = this.film.cells[i];
    const x = column * UNIT, y = row * UNIT, candidates = frame.c[i];
    const box = { x: x + 1.5, y: y + 1.5, width: UNIT - 3, height: UNIT - 3 };
    const gone = frame.r.filter(([cell]) => cell === i).map(([, value]) => value);
    if (!candidates.length) draw(this.under, "rect", { ...box, class: "empty" });
    else if (frame.m.includes(i)) draw(this.under, "rect", { ...box, class: "change" });
    if (frame.l.includes(i)) draw(this.live, "rect", { ...box, class: "look" });
    if (candidates.length === 1 && !gone.length) {
      const kind = this.film.givens.includes(i) ? "given" : "";
      draw(this.live, "text", { x: x + UNIT / 2, y: y + UNIT / 2 + 14, "font-size": 40, class: kind }, candidates[0]);
      return;
    }
    const { values } = this.film, wide = Math.ceil(Math.sqrt(values.length)), high = Math.ceil(values.length / wide);
    const across = UNIT / wide, down = UNIT / high;
    const shares = frame.f ? new Map(frame.f[i]) : null;
    values.forEach((value, k) => {
      const kind = gone.includes(value) ? "small gone" : "small";
      if (!candidates.includes(value) && !gone.includes(value)) return;
      const left = x + (k % wide) * across, top = y + Math.floor(k / wide) * down;
      if (shares) {
        const height = (down - 2) * (shares.get(value) || 0);
        draw(this.live, "rect", { x: left + 1, y: top + down - 1 - height, width: across - 2, height, class: "share" });
      }
      const size = Math.min(17, across * 0.72);
      draw(this.live, "text", { x: left + across / 2, y: top + down / 2 + size * 0.36, "font-size": size, class: kind }, value);
    });
  }

  showMatrix(frame) {
    const hidden = new Set(frame.h), chosen = new Set(frame.o), { items, options, rows } = this.film.matrix;
    this.matrix.replaceChildren();
    if (frame.i !== undefined) draw(this.matrix, "rect", { x: frame.i, y: 0, width: 1, height: rows.length, class: "column" });
    rows.forEach((members, row) => {
      const kind = chosen.has(row) ? "taken" : hidden.has(row) ? "hidden" : "cell";
      for (const item of members) {
        const cell = draw(this.matrix, "rect", { x: item + 0.1, y: row + 0.1, width: 0.8, height: 0.8, class: kind });
        draw(cell, "title", {}, `${options[row]}: ${items[item]}`);
      }
    });
  }
}

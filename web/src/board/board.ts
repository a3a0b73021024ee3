// The board: an SVG that knows squares, pieces and legal actions, but not the rules. One state in, one picture out.
import { piece, svg } from "./pieces";
import { type BoardState, extent, indexOf, place, squareOf, squares } from "./state";

const EDGE = 22;

export interface BoardEvents {
  /** The user chose a legal action. */
  act(action: string): void;
  /** The user chose a square without legal actions. */
  look(square: string): void;
}

export class Board {
  readonly #svg = svg("svg", { class: "board", role: "grid" });
  readonly #events: BoardEvents;
  #state: BoardState | null = null;
  #selected: string | null = null;
  #focus = "a1";
  #drag: { from: string; x: number; y: number; ghost: SVGElement | null } | null = null;

  constructor(host: HTMLElement, events: BoardEvents) {
    this.#events = events;
    this.#svg.addEventListener("keydown", (event) => this.#key(event as KeyboardEvent));
    this.#svg.addEventListener("pointerdown", (event) => this.#down(event as PointerEvent));
    this.#svg.addEventListener("pointermove", (event) => this.#move(event as PointerEvent));
    this.#svg.addEventListener("pointerup", (event) => this.#up(event as PointerEvent));
    this.#svg.addEventListener("pointercancel", () => this.#drop());
    host.append(this.#svg);
  }

  /** Shows a state, and animates the change from the previous one unless the user prefers no motion. */
  show(state: BoardState) {
    const before = this.#state;
    this.#state = state;
    if (before?.board !== state.board || !this.#targets(this.#selected).length) this.#selected = null;
    this.#draw();
    const moved = before && before.board !== state.board && before.size.join() === state.size.join();
    if (moved && !matchMedia("(prefers-reduced-motion: reduce)").matches) this.#animate(before, state);
  }

  /** Squares to which the piece on a square can move. */
  #targets(from: string | null): string[] {
    if (!from) return [];
    const steps = this.#state?.actions.filter((action) => action.startsWith(`${from}-`)) ?? [];
    return steps.map((action) => action.slice(3));
  }

  #draw() {
    const state = this.#state;
    if (!state) return;
    const [columns, rows] = extent(state);
    const focused = this.#svg.contains(document.activeElement);
    this.#svg.setAttribute("viewBox", `${-EDGE} ${-4} ${100 * columns + EDGE + 4} ${100 * rows + EDGE + 4}`);
    this.#svg.setAttribute("aria-label", state.label);
    this.#svg.classList.toggle("active", state.actions.length > 0);
    const targets = this.#targets(this.#selected);
    const last = squares(state.last);
    const lines = Array.from({ length: rows }, () => svg("g", { role: "row" }));
    for (let index = 0; index < 32; index++) {
      const letter = state.board[index] ?? "#";
      if (letter === "#") continue;
      const [column, row] = place(index, state);
      const square = squareOf(index);
      const is = (name: string, yes: boolean) => (yes ? ` ${name}` : "");
      const names =
        is("last", last.includes(square)) + is("selected", this.#selected === square) + is("target", targets.includes(square)) +
        is("marked", state.marked === square) + is("flip", state.actions.includes(square));
      const cell = svg("g", {
        role: "gridcell",
        class: `square${names}`,
        "data-square": square,
        "aria-label": `${square}, ${state.name(letter)}`,
        "aria-selected": this.#selected === square ? "true" : "false",
        tabindex: square === this.#focus ? 0 : -1,
        transform: `translate(${100 * column + 50} ${100 * row + 50})`,
      });
      cell.append(svg("rect", { x: -50, y: -50, width: 100, height: 100, class: "floor" }));
      if (letter !== "-") cell.append(piece(letter, state.pieces));
      if (targets.includes(square)) cell.append(svg("circle", { r: letter === "-" ? 14 : 46, class: letter === "-" ? "dot" : "hoop" }));
      cell.append(svg("rect", { x: -47, y: -47, width: 94, height: 94, rx: 8, class: "focus" }));
      lines[row]?.append(cell);
    }
    // Rows of a lying board are read from left to right too.
    for (const line of lines) line.append(...[...line.children].sort((a, b) => this.#column(a) - this.#column(b)));
    this.#svg.replaceChildren(...lines, this.#edges(state), ...state.arrows.map((arrow) => this.#arrow(arrow.action, arrow.kind)).reverse());
    if (!this.#svg.querySelector('[tabindex="0"]')) this.#svg.querySelector("[tabindex]")?.setAttribute("tabindex", "0");
    if (focused) (this.#svg.querySelector('[tabindex="0"]') as SVGElement | null)?.focus();
  }

  #column(cell: Element): number {
    return place(indexOf(cell.getAttribute("data-square") ?? "a1"), this.#state as BoardState)[0];
  }

  #edges(state: BoardState): SVGElement {
    const [columns, rows] = extent(state);
    const edge = svg("g", { class: "edge", "aria-hidden": "true" });
    const [across, down] = state.lying ? ["12345678", "abcd"] : ["abcd", "12345678".slice(0, rows).split("").reverse().join("")];
    for (let n = 0; n < columns; n++) edge.append(svg("text", { x: 100 * n + 50, y: 100 * rows + 17, "text-anchor": "middle" }, across[n] ?? ""));
    for (let n = 0; n < rows; n++) edge.append(svg("text", { x: -11, y: 100 * n + 55, "text-anchor": "middle" }, down[n] ?? ""));
    return edge;
  }

  #arrow(action: string, kind: string): SVGElement {
    const state = this.#state as BoardState;
    const [from, to] = squares(action).map((square) => place(indexOf(square), state).map((n) => 100 * n + 50) as [number, number]);
    const group = svg("g", { class: `arrow ${kind}`, "aria-hidden": "true" });
    if (!from) return group;
    if (!to) {
      group.append(svg("circle", { cx: from[0], cy: from[1], r: 45 }));
      return group;
    }
    const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
    const length = Math.hypot(dx, dy) || 1;
    const [ux, uy] = [dx / length, dy / length];
    const [x, y] = [to[0] - 20 * ux, to[1] - 20 * uy];
    group.append(svg("path", { d: `M${from[0] + 14 * ux} ${from[1] + 14 * uy}L${x - 16 * ux} ${y - 16 * uy}`, class: "shaft" }));
    const wing = (side: number) => `${x - 24 * ux - side * 15 * uy},${y - 24 * uy + side * 15 * ux}`;
    group.append(svg("polygon", { points: `${x},${y} ${wing(1)} ${wing(-1)}`, class: "head" }));
    return group;
  }

  #animate(before: BoardState, state: BoardState) {
    const [from, to] = squares(state.last);
    const at = (square: string | undefined) => this.#svg.querySelector(`[data-square="${square}"] .piece`);
    if (from && to && before.board[indexOf(from)] === state.board[indexOf(to)]) {
      const [a, b] = [place(indexOf(from), state), place(indexOf(to), state)];
      const start = `translate(${100 * (a[0] - b[0])}px, ${100 * (a[1] - b[1])}px)`;
      at(to)?.animate([{ transform: start }, { transform: "none" }], { duration: 180, easing: "ease-out" });
    } else if (from && !to && before.board[indexOf(from)] === "X") {
      at(from)?.animate([{ transform: "scaleX(0)" }, { transform: "scaleX(1)" }], { duration: 200, easing: "ease-out" });
    }
  }

  /** Handles a chosen square: plays, selects or only looks at it. */
  #choose(square: string) {
    const state = this.#state;
    if (!state) return;
    this.#focus = square;
    const selected = this.#selected;
    if (selected && this.#targets(selected).includes(square)) {
      this.#selected = null;
      return this.#events.act(`${selected}-${square}`);
    }
    this.#selected = selected !== square && this.#targets(square).length ? square : null;
    if (state.actions.includes(square)) return this.#events.act(square);
    this.#draw();
    if (!this.#selected && selected !== square) this.#events.look(square);
  }

  #key(event: KeyboardEvent) {
    const state = this.#state;
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!state) return;
    if (step) {
      const [column, row] = place(indexOf(this.#focus), state);
      for (let index = 0; index < 32; index++) {
        const [x, y] = place(index, state);
        if (state.board[index] !== "#" && x === column + (step[0] ?? 0) && y === row + (step[1] ?? 0)) this.#focus = squareOf(index);
      }
      this.#draw();
    } else if (event.key === "Enter" || event.key === " ") {
      this.#choose(this.#focus);
    } else if (event.key === "Escape" && this.#selected) {
      this.#selected = null;
      this.#draw();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  #square(event: PointerEvent): string | null {
    const under = document.elementFromPoint(event.clientX, event.clientY);
    return under?.closest("[data-square]")?.getAttribute("data-square") ?? null;
  }

  #down(event: PointerEvent) {
    const square = this.#square(event);
    if (event.button !== 0 || !square) return;
    this.#drag = { from: square, x: event.clientX, y: event.clientY, ghost: null };
  }

  #move(event: PointerEvent) {
    const drag = this.#drag;
    if (!drag || !this.#targets(drag.from).length) return;
    const [dx, dy] = [event.clientX - drag.x, event.clientY - drag.y];
    if (!drag.ghost && Math.hypot(dx, dy) < 8) return;
    if (!drag.ghost) {
      this.#svg.setPointerCapture(event.pointerId);
      this.#selected = drag.from;
      this.#draw();
      drag.ghost = this.#svg.querySelector(`[data-square="${drag.from}"] .piece`);
    }
    const scale = 1 / ((this.#svg as SVGSVGElement).getScreenCTM()?.a ?? 1);
    drag.ghost?.setAttribute("transform", `translate(${dx * scale} ${dy * scale})`);
    drag.ghost?.setAttribute("pointer-events", "none");
  }

  #up(event: PointerEvent) {
    const drag = this.#drag;
    const square = this.#square(event);
    this.#drop();
    if (!drag || !square) return;
    if (!drag.ghost && square === drag.from) this.#choose(square);
    else if (drag.ghost && this.#targets(drag.from).includes(square)) this.#events.act(`${drag.from}-${square}`);
  }

  #drop() {
    const ghost = this.#drag?.ghost;
    this.#drag = null;
    if (ghost) this.#draw();
  }
}

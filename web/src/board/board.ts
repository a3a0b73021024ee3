// The board: an SVG that knows squares, pieces and legal actions, but not the rules. One state in, one picture out.
// Squares and pieces are elements that stay; a new state changes only what differs. All pieces are in one layer, and the piece that moves or is
// dragged is its last element, so it passes over all others.
import { change } from "./change";
import { piece, svg } from "./pieces";
import { type BoardState, extent, indexOf, type Mark, type PieceSet, place, squareAt, squareOf, squares, targets } from "./state";

const EDGE = 22;
/** Durations of motions in ms. */
const SLIDE = 180;
const TURN = 260;
/** A touch that moves less far, in pixels, is a tap. */
const TAP = 10;

export interface BoardEvents {
  /** The user chose a legal action. Resolves when it was played or refused. */
  act(action: string): unknown;
  /** The user chose what to play when the turn comes; null takes it back. */
  premove(action: string | null): void;
  /** The user chose a square without legal actions. */
  look(square: string): void;
  /** The user chose a piece and a target that is not allowed. */
  tried(action: string): unknown;
}

/** A piece on the board. */
interface Man {
  root: SVGElement;
  letter: string;
  set: PieceSet;
}

interface Drag {
  pointer: number;
  from: string;
  letter: string | undefined;
  x: number;
  y: number;
  /** The piece, once it has left its square. */
  man: Man | null;
}

export class Board {
  readonly #rows = svg("g", { role: "presentation" });
  readonly #edges = svg("g", { class: "edge", "aria-hidden": "true" });
  readonly #layer = svg("g", { class: "men", "aria-hidden": "true" });
  readonly #arrows = svg("g", { "aria-hidden": "true" });
  readonly #svg = svg("svg", { class: "board", role: "grid" }, this.#rows, this.#edges, this.#layer, this.#arrows) as SVGSVGElement;
  readonly #events: BoardEvents;
  readonly #cells = new Map<string, SVGElement>();
  readonly #men = new Map<number, Man>();
  readonly #motions = new Set<() => void>();
  #state: BoardState | null = null;
  #layout = "";
  #drawnArrows = "";
  #selected: string | null = null;
  #focus = "a1";
  #drag: Drag | null = null;
  /** The action by which the user has dropped a piece that is not played yet. */
  #dropped: string | null = null;

  constructor(host: HTMLElement, events: BoardEvents) {
    this.#events = events;
    this.#svg.addEventListener("keydown", (event) => this.#key(event));
    this.#svg.addEventListener("focusin", (event) => this.#focused(event));
    this.#svg.addEventListener("pointerdown", (event) => this.#down(event));
    this.#svg.addEventListener("pointermove", (event) => this.#move(event));
    this.#svg.addEventListener("pointerup", (event) => this.#up(event));
    this.#svg.addEventListener("pointercancel", () => this.#cancel());
    host.append(this.#svg);
  }

  /** Shows a state, and animates the change from the previous one unless the user prefers no motion. */
  show(state: BoardState) {
    const before = this.#state;
    this.#state = state;
    const layout = [state.size.join("x"), state.lying, state.board.replace(/[^#]/g, ".")].join();
    const fresh = layout !== this.#layout;
    if (fresh) this.#layOut(state, layout);
    const changed = before?.board !== state.board;
    if (this.#drag && (fresh || state.board[indexOf(this.#drag.from)] !== this.#drag.letter)) this.#cancel();
    if (
      this.#selected &&
      (!targets(this.#open, this.#selected).length || (changed && before?.board[indexOf(this.#selected)] !== state.board[indexOf(this.#selected)]))
    ) {
      this.#selected = null;
    }
    if (fresh || changed || before?.pieces !== state.pieces) this.#setUp(state, fresh ? null : before);
    this.#draw();
  }

  /** What the user may choose now. */
  get #open(): string[] {
    const { actions = [], premoves = [] } = this.#state ?? {};
    return actions.length ? actions : premoves;
  }

  /** Makes squares and edges anew, for another size or orientation. */
  #layOut(state: BoardState, layout: string) {
    this.#layout = layout;
    this.#drawnArrows = "";
    this.#endMotions();
    this.#cells.clear();
    this.#men.clear();
    this.#layer.replaceChildren();
    const [columns, rows] = extent(state);
    this.#svg.setAttribute("viewBox", `${-EDGE} ${-4} ${100 * columns + EDGE + 4} ${100 * rows + EDGE + 4}`);
    const held = this.#svg.contains(document.activeElement);
    const lines: SVGElement[] = [];
    for (let row = 0; row < rows; row++) {
      const line = svg("g", { role: "row" });
      for (let column = 0; column < columns; column++) {
        const square = squareAt(column, row, state);
        if (!square || state.board[indexOf(square)] === "#") continue;
        const cell = svg(
          "g",
          { role: "gridcell", "data-square": square, transform: `translate(${100 * column + 50} ${100 * row + 50})` },
          svg("rect", { x: -50, y: -50, width: 100, height: 100, class: "floor" }),
          svg("path", { d: CORNERS, class: "corners" }),
          svg("circle", { r: 14, class: "dot" }),
          svg("circle", { r: 46, class: "hoop" }),
          svg("rect", { x: -47, y: -47, width: 94, height: 94, rx: 8, class: "focus" }),
        );
        this.#cells.set(square, cell);
        line.append(cell);
      }
      lines.push(line);
    }
    this.#rows.replaceChildren(...lines);
    if (!this.#cells.has(this.#focus)) this.#focus = this.#cells.keys().next().value ?? "a1";
    if (held) this.#cells.get(this.#focus)?.focus();
    const [across, down] = state.lying ? ["12345678", "abcd"] : ["abcd", "12345678".slice(0, rows).split("").reverse().join("")];
    this.#edges.replaceChildren(
      ...Array.from({ length: columns }, (_, n) => svg("text", { x: 100 * n + 50, y: 100 * rows + 17, "text-anchor": "middle" }, across[n] ?? "")),
      ...Array.from({ length: rows }, (_, n) => svg("text", { x: -11, y: 100 * n + 55, "text-anchor": "middle" }, down[n] ?? "")),
    );
  }

  /** Brings the marks and names of all squares up to date. */
  #draw() {
    const state = this.#state;
    if (!state) return;
    put(this.#svg, "aria-label", state.label);
    put(this.#svg, "class", `board${state.actions.length ? " active" : ""}${state.premoves.length ? " ahead" : ""}`);
    const reached = targets(this.#open, this.#selected);
    const lists: [Mark, string[]][] = [
      ["target", reached],
      ["take", state.takes],
      ["risk", state.risks],
      ["premove", squares(state.premove)],
      ["last", squares(state.last)],
    ];
    for (const [square, cell] of this.#cells) {
      const letter = state.board[indexOf(square)] ?? "-";
      const marks = lists.filter(([, list]) => list.includes(square)).map(([mark]) => mark);
      const names: string[] = ["square", ...marks];
      if (letter !== "-") names.push("full");
      if (this.#selected === square) names.push("selected");
      if (state.marked === square) names.push("marked");
      if (state.actions.includes(square)) names.push("flip");
      if (targets(this.#open, square).length) names.push("movable");
      put(cell, "class", names.join(" "));
      put(cell, "aria-label", `${square}, ${state.name(letter, marks)}`);
      put(cell, "aria-selected", String(this.#selected === square));
      put(cell, "tabindex", square === this.#focus ? "0" : "-1");
    }
    const arrows = JSON.stringify(state.arrows);
    if (arrows !== this.#drawnArrows) this.#arrows.replaceChildren(...state.arrows.map((arrow) => this.#arrow(state, arrow.action, arrow.kind)).reverse());
    this.#drawnArrows = arrows;
  }

  #arrow(state: BoardState, action: string, kind: string): SVGElement {
    const [from, to] = squares(action).map((square) => middle(indexOf(square), state));
    const group = svg("g", { class: `arrow ${kind}` });
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

  /** Puts the pieces on their squares. With a state before, those that moved slide, and those that were flipped turn over. */
  #setUp(state: BoardState, before: BoardState | null) {
    this.#endMotions();
    const moves = before && !matchMedia("(prefers-reduced-motion: reduce)").matches;
    const { slides, turns } = before ? change(before.board, state.board) : { slides: [], turns: [] };
    const sliding = slides.flatMap(([from, to]) => {
      const man = this.#men.get(from);
      return man ? [{ man, from, to }] : [];
    });
    for (const { from } of sliding) this.#men.delete(from);

    // Step 1. Pieces that slide keep their element. What they take stays below them until they arrive.
    for (const { man, from, to } of sliding) {
      const victim = this.#men.get(to)?.root;
      this.#men.set(to, man);
      const dropped = this.#dropped === `${squareOf(from)}-${squareOf(to)}`;
      this.#layer.append(man.root);
      this.#rest(man, to);
      if (!moves || dropped) {
        victim?.remove();
        continue;
      }
      const way = { transform: [shift(middle(from, state)), shift(middle(to, state))] };
      const motions = [man.root.animate(way, { duration: SLIDE, easing: "ease-in-out" })];
      if (victim) motions.push(victim.animate({ opacity: [1, 1, 0] }, { duration: SLIDE, fill: "forwards" }));
      this.#until(motions, () => victim?.remove());
    }
    this.#dropped = null;

    // Step 2. Every other square whose piece differs.
    for (let index = 0; index < 32; index++) {
      const letter = state.board[index] ?? "#";
      const man = this.#men.get(index);
      if (letter === "-" || letter === "#") {
        man?.root.remove();
        this.#men.delete(index);
      } else if (man?.letter !== letter || man.set !== state.pieces) {
        const root = svg("g", {}, piece(letter, state.pieces));
        const made = { root, letter, set: state.pieces };
        this.#men.set(index, made);
        this.#rest(made, index);
        if (man) man.root.replaceWith(root);
        else this.#layer.append(root);
        if (man && moves && turns.includes(index)) this.#turn(man.root.firstElementChild, root);
      }
    }
    if (this.#drag?.man) this.#layer.append(this.#drag.man.root);
  }

  /** Turns a piece over: the old side becomes narrow, then the new side wide. */
  #turn(old: Element | null, root: SVGElement) {
    const side = root.firstElementChild;
    if (!old || !side) return;
    root.append(old);
    const [wide, narrow] = ["scaleX(1)", "scaleX(0)"];
    const half = TURN / 2;
    const motions = [
      old.animate({ transform: [wide, narrow] }, { duration: half, easing: "ease-in", fill: "forwards" }),
      side.animate({ transform: [narrow, wide] }, { duration: half, delay: half, easing: "ease-out", fill: "backwards" }),
    ];
    this.#until(motions, () => old.remove());
  }

  /** Calls `then` once, when all motions have ended or another state is shown. */
  #until(motions: Animation[], then: () => void) {
    const end = () => {
      if (!this.#motions.delete(end)) return;
      for (const motion of motions) motion.cancel();
      then();
    };
    this.#motions.add(end);
    void Promise.allSettled(motions.map((motion) => motion.finished)).then(end);
  }

  #endMotions() {
    for (const end of [...this.#motions]) end();
  }

  /** Puts a piece into the middle of a square. */
  #rest(man: Man | undefined, index: number) {
    if (!man || !this.#state) return;
    const [x, y] = middle(index, this.#state);
    put(man.root, "transform", `translate(${x} ${y})`);
    man.root.classList.remove("lifted");
  }

  /** Handles a chosen square: plays, selects or only looks at it. */
  #choose(square: string) {
    const state = this.#state;
    if (!state) return;
    this.#focus = square;
    const selected = this.#selected;
    const step = `${selected}-${square}`;
    const open = this.#open;
    this.#selected = null;
    if (open.includes(step)) this.#play(step);
    else if (open.includes(square)) this.#play(square);
    else if (selected !== square && targets(open, square).length) this.#selected = square;
    else if (state.premove) this.#events.premove(null);
    else if (selected && selected !== square && state.actions.length) this.#events.tried(step);
    else if (selected !== square) this.#events.look(square);
    this.#draw();
  }

  /** Plays an action, or keeps it for the user's turn. */
  #play(action: string) {
    const state = this.#state;
    if (!state?.actions.includes(action)) return this.#events.premove(state?.premove === action ? null : action);
    void Promise.resolve(this.#events.act(action)).finally(() => {
      // A refused action leaves the state as it was, and the dropped piece goes back.
      if (this.#dropped !== action) return;
      this.#dropped = null;
      const from = indexOf(action);
      this.#rest(this.#men.get(from), from);
    });
  }

  #key(event: KeyboardEvent) {
    const state = this.#state;
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!state) return;
    if (step) {
      const [column, row] = place(indexOf(this.#focus), state);
      const next = this.#cells.get(squareAt(column + (step[0] ?? 0), row + (step[1] ?? 0), state) ?? "");
      next?.focus();
    } else if (event.key === "Enter" || event.key === " ") {
      this.#choose(this.#focus);
    } else if (event.key === "Escape" && (this.#selected || state.premove)) {
      if (!this.#selected) this.#events.premove(null);
      this.#selected = null;
      this.#draw();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  #focused(event: FocusEvent) {
    const square = (event.target as Element).getAttribute("data-square");
    if (!square || square === this.#focus) return;
    this.#focus = square;
    this.#draw();
  }

  /** The place of a pointer, in the units of the picture. */
  #point(event: PointerEvent): [number, number] {
    const { a = 1, e = 0, f = 0 } = this.#svg.getScreenCTM() ?? {};
    return [(event.clientX - e) / a, (event.clientY - f) / a];
  }

  #square(event: PointerEvent): string | null {
    const [x, y] = this.#point(event);
    const square = this.#state ? squareAt(Math.floor(x / 100), Math.floor(y / 100), this.#state) : null;
    return square && this.#cells.has(square) ? square : null;
  }

  #down(event: PointerEvent) {
    if (this.#drag) return this.#cancel();
    const from = this.#square(event);
    if (event.button !== 0 || !from) return;
    this.#drag = { pointer: event.pointerId, from, letter: this.#state?.board[indexOf(from)], x: event.clientX, y: event.clientY, man: null };
  }

  #move(event: PointerEvent) {
    const drag = this.#drag;
    if (drag?.pointer !== event.pointerId) return;
    if (!drag.man) {
      if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < TAP || !targets(this.#open, drag.from).length) return;
      this.#endMotions();
      drag.man = this.#men.get(indexOf(drag.from)) ?? null;
      if (!drag.man) return;
      this.#svg.setPointerCapture(event.pointerId);
      this.#layer.append(drag.man.root);
      drag.man.root.classList.add("lifted");
      this.#selected = drag.from;
      this.#draw();
    }
    const [x, y] = this.#point(event);
    put(drag.man.root, "transform", `translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(1.1)`);
    this.#hover(this.#square(event));
  }

  #up(event: PointerEvent) {
    const drag = this.#drag;
    if (drag?.pointer !== event.pointerId) return;
    const square = this.#square(event);
    this.#drag = null;
    this.#hover(null);
    if (!drag.man) {
      if (square === drag.from) this.#choose(square);
      return;
    }
    const action = `${drag.from}-${square}`;
    const played = square !== null && this.#state?.actions.includes(action);
    // What is played stays where it was dropped, so it does not slide again.
    this.#dropped = played ? action : null;
    this.#rest(drag.man, indexOf(played ? square : drag.from));
    if (this.#open.includes(action)) {
      this.#selected = null;
      this.#focus = square ?? drag.from;
      this.#play(action);
    } else if (square && square !== drag.from && this.#state?.actions.length) {
      this.#events.tried(action);
    }
    this.#draw();
  }

  /** Marks the square under a dragged piece. */
  #hover(square: string | null) {
    for (const [other, cell] of this.#cells) if (cell.hasAttribute("data-over") !== (other === square)) cell.toggleAttribute("data-over");
  }

  #cancel() {
    const drag = this.#drag;
    this.#drag = null;
    this.#hover(null);
    if (drag?.man) this.#rest(drag.man, indexOf(drag.from));
  }
}

const CORNERS = [
  [-1, -1],
  [1, -1],
  [1, 1],
  [-1, 1],
]
  .map(([x = 0, y = 0]) => `M${44 * x} ${28 * y}V${44 * y}H${28 * x}`)
  .join("");

/** Sets an attribute only if it differs, so that an unchanged element is not drawn again. */
function put(element: Element, name: string, value: string) {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

function middle(index: number, state: BoardState): [number, number] {
  const [column, row] = place(index, state);
  return [100 * column + 50, 100 * row + 50];
}

function shift([x, y]: [number, number]): string {
  return `translate(${x}px, ${y}px)`;
}

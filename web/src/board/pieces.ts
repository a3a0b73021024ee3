// Pieces as SVG. Red ones are round and black ones have eight corners, so colors are not needed to tell them apart.
import { GLYPHS } from "./glyphs";
import { PICTURES } from "./pictures";
import type { PieceSet } from "./state";

const SVG = "http://www.w3.org/2000/svg";

export function svg(name: string, attributes: Record<string, string | number>, ...children: (Node | string)[]): SVGElement {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}

const HANT: Record<string, string> = {
  K: "帥",
  G: "仕",
  M: "相",
  R: "俥",
  N: "傌",
  C: "炮",
  P: "兵",
  k: "將",
  g: "士",
  m: "象",
  r: "車",
  n: "馬",
  c: "砲",
  p: "卒",
};
const HANS: Record<string, string> = { ...HANT, K: "帅", k: "将", r: "车", n: "马" };

/** The character on a piece. */
export function glyph(letter: string, set: PieceSet): string {
  return (set === "hans" ? HANS : HANT)[letter] ?? "";
}

const ORDER = "PCNRMGK";

/** How far below the middle the pips are. */
const PIPS = { latin: 20, pictures: 22 };

function octagon(radius: number): string {
  const corner = (n: number) => {
    const angle = ((2 * n + 1) * Math.PI) / 8;
    return `${(radius * Math.cos(angle)).toFixed(1)},${(radius * Math.sin(angle)).toFixed(1)}`;
  };
  return Array.from({ length: 8 }, (_, n) => corner(n)).join(" ");
}

function outline(red: boolean, radius: number, name: string): SVGElement {
  return red ? svg("circle", { r: radius, class: name }) : svg("polygon", { points: octagon(radius * 1.06), class: name });
}

/** A piece around 0, 0 in a square of 100; X is a face-down piece. */
export function piece(letter: string, set: PieceSet): SVGElement {
  if (letter === "X") {
    const back = svg("g", { class: "piece back" });
    back.append(svg("circle", { r: 41, class: "body" }), svg("circle", { r: 31, class: "ring" }));
    back.append(svg("path", { d: "M0 -20 L20 0 L0 20 L-20 0 Z M0 -9 L9 0 L0 9 L-9 0 Z", class: "pattern" }));
    return back;
  }
  const red = letter === letter.toUpperCase();
  const group = svg("g", { class: `piece ${red ? "red" : "black"}` });
  group.append(outline(red, 42, "body"), outline(red, 36, "ring"));
  const role = letter.toUpperCase();
  if (set === "latin" || set === "pictures") {
    if (set === "latin") group.append(svg("text", { class: "letter", y: 8, "text-anchor": "middle", "aria-hidden": "true" }, role));
    else group.append(svg("path", { class: "glyph", d: PICTURES[role] ?? "", "fill-rule": "evenodd", transform: "translate(0 -1) scale(0.86)" }));
    const rank = ORDER.indexOf(role) + 1;
    for (let n = 0; n < rank; n++) group.append(svg("circle", { class: "pip", r: 2.6, cx: (n - (rank - 1) / 2) * 7, cy: PIPS[set] }));
  } else {
    const path = GLYPHS[glyph(letter, set)] ?? "";
    group.append(svg("path", { class: "glyph", d: path, transform: "scale(0.48)" }));
  }
  return group;
}

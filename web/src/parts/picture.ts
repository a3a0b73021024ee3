// The board as a picture that needs no style sheet: a copy of its SVG with the styles written into it.

const STYLES = ["fill", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap", "opacity", "display"];
const FONT = ["font-family", "font-size", "font-weight"];

export function picture(board: SVGSVGElement): string {
  const copy = board.cloneNode(true) as SVGSVGElement;
  const copies = [copy, ...copy.querySelectorAll("*")];
  for (const [n, element] of [board, ...board.querySelectorAll("*")].entries()) {
    const to = copies[n];
    const style = getComputedStyle(element);
    for (const name of ["class", "tabindex", "role", "aria-label", "data-square"]) to?.removeAttribute(name);
    for (const name of element.tagName === "text" ? [...STYLES, ...FONT] : STYLES) to?.setAttribute(name, style.getPropertyValue(name));
  }
  for (const hidden of copies.filter((element) => element.getAttribute("display") === "none")) hidden.remove();
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  return new XMLSerializer().serializeToString(copy);
}

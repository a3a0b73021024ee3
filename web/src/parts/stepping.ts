// Stepping through a game by arrow keys and by the wheel over the board.

const KEYS: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -Infinity, ArrowDown: Infinity, Home: -Infinity, End: Infinity };
/** How far a wheel turns for one ply, in pixels: fine wheels send many small turns. */
const TURN = 40;

/** Attaches to the element around a board: calls `step` with the plies to go, which may be without end. */
export function stepping(step: (by: number) => void) {
  return (host: HTMLElement) => {
    let turned = 0;
    const key = (event: KeyboardEvent) => {
      const { target } = event;
      const by = KEYS[event.key];
      // On the board the arrows choose squares; in fields they are for the text.
      const theirs = target instanceof Element && target.closest(".board, input, textarea, select, dialog, [role=slider]");
      if (by === undefined || theirs || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      step(by);
    };
    const wheel = (event: WheelEvent) => {
      if (event.ctrlKey || !(event.target instanceof Element) || !event.target.closest(".board")) return;
      event.preventDefault();
      turned += event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? event.deltaY : event.deltaY * TURN;
      if (Math.abs(turned) < TURN) return;
      step(Math.sign(turned));
      turned = 0;
    };
    addEventListener("keydown", key);
    host.addEventListener("wheel", wheel, { passive: false });
    return () => {
      removeEventListener("keydown", key);
      host.removeEventListener("wheel", wheel);
    };
  };
}

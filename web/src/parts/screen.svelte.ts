// The orientation of boards: chosen by the user, or else that of the screen.
import { settings } from "../settings.svelte";

const wide = matchMedia("(min-aspect-ratio: 1/1)");
const held = $state({ wide: wide.matches });
wide.addEventListener("change", () => {
  held.wide = wide.matches;
});

export const screen = {
  get lying(): boolean {
    return settings.board === "auto" ? held.wide : settings.board === "lying";
  },
};

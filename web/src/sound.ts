// What the user hears and feels: synthesized sounds (wood for a move, a lower knock for a capture, a rising tone for a flip) and vibration.
import { settings } from "./settings.svelte";

export type Happening = "move" | "take" | "flip" | "end";

/** Start and end of the tone in Hz, and its length in seconds. */
const TONES: Record<Happening, [from: number, to: number, length: number]> = {
  move: [420, 260, 0.07],
  take: [240, 110, 0.14],
  flip: [300, 620, 0.1],
  end: [520, 390, 0.5],
};
/** Milliseconds of vibration and of the pauses between. */
const PULSES: Record<Happening, number[]> = { move: [12], take: [30], flip: [15], end: [40, 60, 40] };

/** Whether this device can vibrate, as far as the browser says. */
export const vibrates = "vibrate" in navigator;

let context: AudioContext | null = null;

export function tell(kind: Happening): void {
  if (settings.vibration && vibrates) navigator.vibrate(PULSES[kind]);
  if (settings.sound && typeof AudioContext !== "undefined") play(...TONES[kind]);
}

function play(from: number, to: number, length: number) {
  context ??= new AudioContext();
  // Browsers let no page sound before the user has touched it.
  if (context.state === "suspended") void context.resume();
  const now = context.currentTime;
  const tone = context.createOscillator();
  const volume = context.createGain();
  tone.type = "triangle";
  tone.frequency.setValueAtTime(from, now);
  tone.frequency.exponentialRampToValueAtTime(to, now + length);
  volume.gain.setValueAtTime(0.18, now);
  volume.gain.exponentialRampToValueAtTime(0.001, now + length);
  tone.connect(volume).connect(context.destination);
  tone.start(now);
  tone.stop(now + length);
}

// Synthesized sounds: a click of wood for a move, a lower one for a capture, a rising one for a flip.
import { settings } from "./settings.svelte";

let context: AudioContext | null = null;

export function sound(kind: "move" | "take" | "flip" | "end"): void {
  if (!settings.sound || typeof AudioContext === "undefined") return;
  context ??= new AudioContext();
  if (context.state === "suspended") void context.resume();
  const [from, to, length] = { move: [420, 260, 0.07], take: [240, 110, 0.14], flip: [300, 620, 0.1], end: [520, 390, 0.5] }[kind] as [number, number, number];
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

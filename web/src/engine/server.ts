// The engine of the program that serves the pages. It answers in lines of JSON: progress, then the answer in the last line.
import { answered, type EngineClient, type Name, type Progress, Unanswered } from "./client";

export class ServerClient implements EngineClient {
  readonly where = "native";

  async ask<N extends Name>(name: N, question: object, more: { signal?: AbortSignal; progress?: (progress: Progress) => void } = {}) {
    const response = await fetch("ask", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ ask: name, ...question }),
      signal: more.signal ?? null,
    });
    if (!response.ok || !response.body) throw new Unanswered(`${response.status} ${response.statusText}`);
    let rest = "";
    let last: unknown;
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { value, done } = await reader.read();
      const lines = (rest + (value ?? "")).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        const said = JSON.parse(line) as { told?: Progress; answer?: unknown };
        if (said.told) more.progress?.(said.told);
        else last = said.answer;
      }
      if (done) break;
    }
    if (last === undefined) throw new Unanswered("the program has gone away");
    return answered<never>(last);
  }
}

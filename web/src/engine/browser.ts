// The engine in Web Workers: one for quick questions, one for long ones. A stop ends the second, and the next question starts another.
// No state is lost, because every question contains its game.
import { answered, type EngineClient, LONG, type Name, type Progress, Unanswered } from "./client";

interface Job {
  question: string;
  progress: ((progress: Progress) => void) | undefined;
  done(answer: unknown): void;
  failed(error: unknown): void;
}

/** One worker, which answers one question at a time. */
class Desk {
  #worker: Worker | null = null;
  #jobs: Job[] = [];

  ask(question: string, progress?: (progress: Progress) => void, signal?: AbortSignal): Promise<unknown> {
    return new Promise((done, failed) => {
      if (signal?.aborted) return failed(signal.reason);
      const job: Job = { question, progress, done, failed };
      signal?.addEventListener("abort", () => {
        const place = this.#jobs.indexOf(job);
        if (place < 0) return;
        this.#jobs.splice(place, 1);
        if (place === 0) this.#restart();
        failed(signal.reason);
      });
      this.#jobs.push(job);
      if (this.#jobs.length === 1) this.#next();
    });
  }

  #restart() {
    this.#worker?.terminate();
    this.#worker = null;
    this.#next();
  }

  #next() {
    const job = this.#jobs[0];
    if (!job) return;
    this.#worker ??= this.#started();
    this.#worker.postMessage(job.question);
  }

  #started(): Worker {
    const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }: MessageEvent<{ answer?: unknown; told?: Progress; failed?: string }>) => {
      if (worker !== this.#worker) return;
      if (data.told) return this.#jobs[0]?.progress?.(data.told);
      const job = this.#jobs.shift();
      if (data.failed === undefined) {
        job?.done(data.answer);
        this.#next();
      } else {
        job?.failed(new Unanswered(data.failed));
        this.#restart();
      }
    };
    worker.onerror = (event) => {
      if (worker !== this.#worker) return;
      this.#jobs.shift()?.failed(new Unanswered(event.message || "the engine cannot be started"));
      this.#restart();
    };
    return worker;
  }
}

export class BrowserClient implements EngineClient {
  readonly where = "browser";
  #quick = new Desk();
  #long = new Desk();

  async ask<N extends Name>(name: N, question: object, more: { signal?: AbortSignal; progress?: (progress: Progress) => void } = {}) {
    const desk = LONG.has(name) ? this.#long : this.#quick;
    return answered<never>(await desk.ask(JSON.stringify({ ask: name, ...question }), more.progress, more.signal));
  }
}

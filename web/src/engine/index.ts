import { BrowserClient } from "./browser";
import type { EngineClient } from "./client";
import { ServerClient } from "./server";

export * from "./client";

/** Whoever answers on this page: its own engine, unless whoever served it says that it has one. */
export const engine: EngineClient =
  document.querySelector('meta[name="engine"]')?.getAttribute("content") === "native" ? new ServerClient() : new BrowserClient();

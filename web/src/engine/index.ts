import { BrowserClient } from "./browser";
import type { EngineClient } from "./client";
import { ServerClient } from "./server";

export * from "./client";

/** The client of this page: the engine in the page, unless the server of the page announces its own. */
export const engine: EngineClient =
  document.querySelector('meta[name="engine"]')?.getAttribute("content") === "native" ? new ServerClient() : new BrowserClient();

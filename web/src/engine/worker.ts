// A Web Worker with the engine in it.
import { load } from "./wasm";

const ready = fetch(new URL("engine.wasm", location.href.replace(/(assets|src\/engine)\/[^/]*$/, "")))
  .then((file) => {
    if (!file.ok) throw new Error(`expected engine.wasm, found ${file.status} ${file.statusText}`);
    return file;
  })
  .then((file) => load(file, (text) => postMessage({ told: JSON.parse(text) })))
  .catch((error: unknown) => {
    postMessage({ failed: String(error) });
    throw error;
  });

self.onmessage = async ({ data }: MessageEvent<string>) => {
  const ask = await ready;
  try {
    postMessage({ answer: JSON.parse(ask(data)) });
  } catch (error) {
    // After a panic the engine cannot answer another question.
    postMessage({ failed: String(error) });
  }
};

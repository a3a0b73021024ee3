// The other side of crates/wasm: one text in, one text out. Plain JavaScript, so that tests run it without a browser.

/**
 * Loads the engine, and returns a function that answers questions.
 * @param {Response | BufferSource} file
 * @param {(text: string) => void} tell receives the progress before the answer
 * @returns {Promise<(question: string) => string>}
 */
export async function load(file, tell) {
  const decoder = new TextDecoder();
  /** @type {{ memory: WebAssembly.Memory, room(bytes: number): number, ask(): number, said(): number }} */
  let engine;
  /** @type {(at: number, bytes: number) => string} */
  const text = (at, bytes) => decoder.decode(new Uint8Array(engine.memory.buffer, at, bytes));
  const page = { now: () => performance.now(), tell: (/** @type {number} */ at, /** @type {number} */ bytes) => tell(text(at, bytes)) };
  // Some hosts send another Content-Type, and browsers then refuse to compile the stream.
  const streamed = file instanceof Response && file.headers.get("Content-Type") === "application/wasm";
  const bytes = file instanceof Response && !streamed ? await file.arrayBuffer() : file;
  const { instance } = await (bytes instanceof Response ? WebAssembly.instantiateStreaming(bytes, { page }) : WebAssembly.instantiate(bytes, { page }));
  engine = /** @type {any} */ (instance.exports);
  return (question) => {
    const bytes = new TextEncoder().encode(question);
    const at = engine.room(bytes.length);
    new Uint8Array(engine.memory.buffer, at, bytes.length).set(bytes);
    const length = engine.ask();
    return text(engine.said(), length);
  };
}

// Links that carry a whole game: its record, deflated, in the part of the address that is not sent to a server.

const MOST = 400_000;

async function through(bytes: Uint8Array<ArrayBuffer>, stream: CompressionStream | DecompressionStream): Promise<Uint8Array<ArrayBuffer>> {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const parts: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { value, done } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > MOST) throw new Error(`expected at most ${MOST} bytes`);
    parts.push(value);
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

export async function packed(record: string): Promise<string> {
  const bytes = await through(new TextEncoder().encode(record), new CompressionStream("deflate-raw"));
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

export async function unpacked(text: string): Promise<string> {
  const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
  return new TextDecoder("utf-8", { fatal: true }).decode(await through(bytes, new DecompressionStream("deflate-raw")));
}

/** The address of a game after some plies, with what was added to it in the analysis. */
export async function linkTo(record: string, ply: number, added = ""): Promise<string> {
  const more = added ? `&v=${await packed(added)}` : "";
  return `${location.origin}${location.pathname}#/analyse?g=${await packed(record)}&p=${ply}${more}`;
}

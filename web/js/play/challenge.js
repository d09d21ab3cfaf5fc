// A game as a link: its choices, its score and its keys, so that a friend can race against it without a server.

/** Longer links are cut by the programs that people send them with; such a game is told by its score alone. */
const LONGEST_KEYS = 6000;
/** Keys of hours; more is not a game. */
const MOST_BYTES = 1 << 20;
const NUMBERS = ["width", "height", "level", "seed"];

/** The part of a link after #. */
export async function written({ choices, keys, score, name }) {
  const words = new URLSearchParams({ ...choices, beat: score });
  if (name) words.set("name", name);
  const packed = await pack(keys);
  if (packed.length <= LONGEST_KEYS) words.set("keys", packed);
  return words.toString();
}

/** Reads it again; null if there is no game in it. Keys that cannot be read are left out. */
export async function read(hash) {
  const words = new URLSearchParams(hash.replace(/^#/, ""));
  if (!/^\d+$/.test(words.get("seed") ?? "")) return null;
  const choices = { rules: words.get("rules") === "classic" ? "classic" : "gameboy" };
  for (const key of NUMBERS) if (words.has(key)) choices[key] = Number(words.get(key)) >>> 0;
  if (words.get("heart") === "true") choices.heart = true;
  const keys = words.has("keys") ? await unpack(words.get("keys")).catch(() => null) : null;
  const name = /^[a-zA-Z0-9_-]{3,15}$/.test(words.get("name") ?? "") ? words.get("name") : "";
  return { choices, keys, name, score: Number(words.get("beat")) || 0 };
}

async function pack(text) {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

async function unpack(text) {
  const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).pipeThrough(new TextDecoderStream());
  let found = "";
  for await (const part of stream) {
    found += part;
    // A small link can unpack to anything.
    if (found.length > MOST_BYTES) throw new Error("too long for a game");
  }
  return found;
}

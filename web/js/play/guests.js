// Players from the server's plug-in folder: evaluators run in this page, programs think on the server.

import { Plugin } from "./plugin.js";

const PATIENCE_MS = 8000;

/** All of them; none where there is no server. */
export async function fetchGuests() {
  if ("site" in document.documentElement.dataset) return [];
  try {
    const { evaluators, programs } = await (await fetch("/api/tetris/players")).json();
    return [...evaluators.map((name) => new Plugin(name, () => fetchModule(name))), ...programs.map((name) => new Program(name))];
  } catch {
    return [];
  }
}

const addressOf = (name) => `/api/tetris/players/${encodeURIComponent(name)}`;

async function fetchModule(name) {
  const response = await fetch(addressOf(name));
  if (!response.ok) throw new Error(response.statusText);
  return response.arrayBuffer();
}

/** A program that speaks the Tetris Bot Protocol. */
class Program {
  constructor(name) {
    this.name = name;
  }

  async think(scene) {
    const response = await fetch(addressOf(this.name), {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(scene),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const answer = await response.json().catch(() => ({}));
    if (!response.ok) throw new Error(answer.error ?? response.statusText);
    return answer;
  }
}

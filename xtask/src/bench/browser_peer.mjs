// Solves positions (a JSON list of moves on standard input) in the pages' module; prints scores and CPU time.

import { readFileSync } from "node:fs";

const { instance } = await WebAssembly.instantiate(readFileSync(process.argv[2]), {});
const { memory, reserve, answer, address } = instance.exports;

function ask(request) {
  const bytes = new TextEncoder().encode(JSON.stringify(request));
  const place = reserve(bytes.length);
  new Uint8Array(memory.buffer, place, bytes.length).set(bytes);
  const length = answer();
  return JSON.parse(new TextDecoder().decode(new Uint8Array(memory.buffer, address(), length)));
}

const positions = JSON.parse(readFileSync(0, "utf8"));
// The engine compiles while it runs; that is not part of solving.
for (const position of positions.slice(0, 3)) ask({ ask: "score", position });
const scores = [];
let cpu = 0;
for (const position of positions) {
  const start = process.cpuUsage();
  scores.push(ask({ ask: "score", position }).score);
  const { user, system } = process.cpuUsage(start);
  cpu += user + system;
}
console.log(JSON.stringify({ scores, cpu_us_mean: cpu / positions.length }));

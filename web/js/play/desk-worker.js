// The same module in a worker: thinking never holds up the page.

import { openDesk } from "./desk.js";

const desk = openDesk();

addEventListener("message", async ({ data: { number, request } }) => {
  try {
    postMessage({ number, answer: (await desk).ask(request) });
  } catch (error) {
    postMessage({ number, error: error.message });
  }
});

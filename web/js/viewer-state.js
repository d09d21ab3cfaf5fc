// What a viewer knows of a run: made from its notes, whether they come live or from a recording (X3).

import { learn } from "./show-games.js";

/** What the time line shows. */
export const WINDOW_MS = 6000;
const LOG_LINES = 8;

/** A run of which nothing is known yet. */
export function fresh() {
  return {
    seen: null,
    /** What the LEGO robot has found so far, cell by cell. */
    known: new Map(),
    decision: null,
    plan: null,
    candidates: [],
    /** From screen to frame, and how sure that is. */
    screen: null,
    steps: [],
    now: 0,
    missed: 0,
    counts: { decisions: 0, confirmed: 0, diverged: 0, unclear: 0, faults: 0, games: 0 },
    /** `{ action, begin, end }`, times in milliseconds. */
    actions: [],
    /** `{ time, kind, values, times }`, newest first; the same thing again counts. */
    log: [],
  };
}

/** Takes an event of the stream into the state. */
export function take(state, event) {
  if (event.type === "MISSED") state.missed += event.count;
  else if (event.type === "NOTE") note(state, event);
}

function note(state, { topic, time_ms: time, note: content }) {
  if (topic !== "body") state.now = Math.max(state.now, time);
  const { counts } = state;
  if (topic === "observation") {
    state.seen = content;
    learn(state.known, content);
  } else if (topic === "decision") {
    state.decision = content;
    counts.decisions += 1;
  } else if (topic === "candidates") state.candidates = Array.isArray(content) ? content : [];
  else if (topic === "plan") state.plan = content;
  else if (topic === "command") command(state, content, time);
  else if (topic === "screen") state.screen = content;
  else if (topic === "times") state.steps = content;
  else if (topic === "unclear") counts.unclear += 1;
  else if (topic === "verdict") {
    if (content === "confirmed") counts.confirmed += 1;
    if (content?.diverged) {
      counts.diverged += 1;
      tell(state, time, "diverged", { why: content.diverged.why });
    }
  } else if (topic === "fault") {
    counts.faults += 1;
    tell(state, time, "fault", { what: faultWords(content) });
  } else if (topic === "remedy") tell(state, time, "remedy", { what: wordOf(content?.remedy) });
  else if (topic === "order") {
    tell(state, time, content?.refused ? "order_refused" : "order", { order: content?.order?.player ?? content?.order, why: content?.refused });
  } else if (topic === "game_over") {
    counts.games += 1;
    tell(state, time, "game_over", {});
  }
}

function command(state, content, time) {
  const action = wordOf(content?.action);
  if (content?.edge === "begin") state.actions.push({ action, begin: time, end: null });
  else {
    const open = state.actions.findLast((other) => other.action === action && other.end === null);
    if (open) open.end = time;
  }
  state.actions = state.actions.filter(({ end, begin }) => (end ?? begin) > state.now - WINDOW_MS);
}

/** Adds a line to what happened. */
export function tell(state, time, kind, values) {
  const [newest, ...older] = state.log;
  const again = newest?.kind === kind && JSON.stringify(newest.values) === JSON.stringify(values);
  const line = { time, kind, values, times: again ? newest.times + 1 : 1 };
  state.log = (again ? [line, ...older] : [line, ...state.log]).slice(0, LOG_LINES);
}

/** The name of a variant: a word, or the key of an object. */
function wordOf(value) {
  return typeof value === "string" ? value : (Object.keys(value ?? {})[0] ?? "");
}

function faultWords(fault) {
  const { origin, ...rest } = fault ?? {};
  const words = Object.values(rest).filter((value) => typeof value === "string");
  return [origin, ...words].filter(Boolean).join(": ") || JSON.stringify(fault);
}

// What a page knows of the hall: the server's state, kept up to date by its events.

import { connect } from "./connection.js";

/** The state after an event; a pure function of both. */
export function applied(state, event) {
  switch (event.type) {
    case "WELCOME":
      return event.state;
    case "GAME_SIGNUP":
      return { ...state, waiting: event.name, table: state.table === "free" ? "waiting" : state.table };
    case "VISITOR_LEFT":
      return { ...state, waiting: null, table: state.table === "waiting" ? "free" : state.table };
    case "GAME_START":
      return { ...state, table: "playing", waiting: null, game: started(event) };
    case "TURN":
      return withGame(state, event, (game) => turned(game, event));
    case "GAME_OVER":
      return finished(state, event, { result: "won", winner: event.winner, cells: event.cells, reason: event.reason });
    case "GAME_DRAW":
      return finished(state, event, { result: "draw" });
    case "GAME_ENDED":
      return finished(state, event, { result: "ended", reason: event.reason });
    case "WATCHING":
      return { ...state, watchers: event.watchers };
    case "QUEUE":
      return { ...state, queue: event.length, waiting: event.waiting };
    case "WITHOUT_ROBOT":
      return withGame(state, event, (game) => ({ ...game, without_robot: true }));
    case "RECORDING":
      return { ...state, recorded: event.recorded };
    case "TABLE_FREE":
      return { ...state, table: state.waiting ? "waiting" : "free", game: null };
    case "ROBOT":
      return { ...state, robot: event.robot };
    case "SETTINGS":
      return { ...state, demo: event.demo, levels: event.levels, language: event.language, address: event.address };
    case "STATISTICS":
      return { ...state, statistics: event.statistics };
    default:
      return state;
  }
}

function started({ game, red, yellow, demo }) {
  return { game, red, yellow, demo, moves: [], next: "red", result: null, winner: null, cells: [], reason: null };
}

/** `why` keeps the machine's reason for its last turn: `{disc, column, reason}`. */
function turned(game, { disc, column, next, reason }) {
  const why = reason ? { disc, column, reason } : game.why;
  return { ...game, moves: [...game.moves, column], next, why };
}

function withGame(state, event, change) {
  return state.game?.game === event.game ? { ...state, game: change(state.game) } : state;
}

function finished(state, event, outcome) {
  const over = withGame(state, event, (game) => ({ ...game, ...outcome, next: null, free_in_s: event.free_in_s ?? null }));
  return over === state ? state : { ...over, table: "finished" };
}

/** Enters the hall. `onChange(event, hall)` follows every event, after `hall` took it in; `onLink(up)` tells of the link.
 *  `hall` has `state`, `seat` (`{disc, name}` or null), `waiting` (this visitor waits), `place` in line (`{position,
 *  wait_s}` or null) and `send`. */
export function enterHall({ watch = false, seated = false, onChange, onLink = () => {} }) {
  const hall = { state: null, seat: null, waiting: false, place: null, name: null, send: null, retry: null };
  const connection = connect({
    watch,
    seated,
    onLink,
    onEvent(event) {
      hall.state = applied(hall.state, event);
      if (seated) takeSeat(hall, event);
      onChange(event, hall);
    },
  });
  hall.send = (event) => {
    const sent = connection.send(event);
    if (sent && event.type === "LEAVE") Object.assign(hall, { seat: null, waiting: false, place: null, name: null });
    return sent;
  };
  hall.retry = connection.retry;
  return hall;
}

/** Which seat is this visitor's follows from the events: names are unique in the hall. */
function takeSeat(hall, event) {
  if (event.type === "WELCOME") {
    Object.assign(hall, { seat: event.seat, waiting: event.waiting, place: event.place ?? null });
    hall.name = event.seat?.name ?? event.place?.name ?? (event.waiting ? event.state.waiting : null);
  } else if (event.type === "NAME_VALID") {
    Object.assign(hall, { name: event.name, waiting: true });
  } else if (event.type === "QUEUED") {
    Object.assign(hall, { name: event.name, waiting: true, place: { position: event.position, wait_s: event.wait_s } });
  } else if (event.type === "DROPPED") {
    Object.assign(hall, { waiting: false, place: null, name: null });
  } else if (event.type === "GAME_START" && hall.name) {
    const disc = ["red", "yellow"].find((side) => event[side].level === null && event[side].name === hall.name);
    if (disc) Object.assign(hall, { seat: { disc, name: hall.name }, waiting: false, place: null });
  } else if (event.type === "VISITOR_LEFT" && hall.waiting && event.name === hall.name) {
    Object.assign(hall, { waiting: false, place: null, name: null });
  } else if (event.type === "TABLE_FREE" && hall.seat) {
    Object.assign(hall, { seat: null, name: null });
  }
}

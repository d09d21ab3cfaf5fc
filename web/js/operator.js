// Requests of the operator's page.

/** What the server answered instead of doing it: `status` and its JSON `answer`. */
export class Refused extends Error {
  constructor(status, answer) {
    super(answer.error ?? `status ${status}`);
    this.status = status;
    this.answer = answer;
  }
}

/** Asks the server; returns its JSON answer (null without one) or throws `Refused`. */
export async function ask(method, path, body = undefined) {
  const answer = await fetch(path, {
    method,
    // The header that other sites cannot send (docs/events.md).
    headers: { "X-Gamebot": "1", ...(body === undefined ? {} : { "Content-Type": "application/json" }) },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await answer.text();
  const json = parsed(text);
  if (!answer.ok) throw new Refused(answer.status, json ?? {});
  return json;
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

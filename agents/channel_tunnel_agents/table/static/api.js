// The server's answers. Every request names the seats that this tab holds; every refusal is an Error
// whose message is the server's sentence.

export class Refused extends Error {
  constructor(status, sentence, fields = undefined) {
    super(sentence);
    this.status = status;
    this.fields = fields; // field of a form -> why its value is refused
  }
}

const drawDigits = (bytes) => [...crypto.getRandomValues(new Uint8Array(bytes))].map((n) => n.toString(16).padStart(2, "0")).join("");

// Hexadecimal digits that are drawn once, for a browser or for a tab.
export function keptDigits(store, name, bytes) {
  const digits = store.getItem(name) ?? drawDigits(bytes);
  store.setItem(name, digits);
  return digits;
}

// By what the server knows the games of the person at this browser.
const ownSecret = () => keptDigits(localStorage, "player", 16);

export async function ask(path, body, tokens = {}, signal = undefined) {
  // No answer is kept: it is of this moment, and a browser that goes back would show what was before.
  const options = { signal, cache: "no-store", headers: { "Table-Seats": Object.values(tokens).join(","), "Table-Player": ownSecret() } };
  if (body !== undefined) {
    options.method = "POST";
    options.headers["Content-Type"] = "application/json";
    options.body = JSON.stringify(body);
  }
  let response;
  try {
    response = await fetch(`api/${path}`, options);
  } catch {
    throw new Refused(0, "The server does not answer. Your game is kept; the page tries again by itself.");
  }
  const answer = await response.json().catch(() => ({ error: `The server answered ${response.status}.` }));
  if (signal?.aborted) throw new Refused(0, "Given up.");
  // A refused field's sentence begins with the name of a file.
  if (!response.ok) throw new Refused(response.status, answer.fields ? answer.error : sentence(answer.error), answer.fields);
  return answer;
}

export function sentence(text) {
  const whole = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(whole) ? whole : `${whole}.`;
}

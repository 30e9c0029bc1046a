// The server's answers. Every request names the seats that this tab holds; every refusal is an Error
// whose message is the server's sentence.

export class Refused extends Error {
  constructor(status, sentence, fields = undefined) {
    super(sentence);
    this.status = status;
    this.fields = fields; // field of a form -> why its value is refused
  }
}

export const drawDigits = (bytes) => [...crypto.getRandomValues(new Uint8Array(bytes))].map((n) => n.toString(16).padStart(2, "0")).join("");

// By what the server knows the games of the person at this browser.
function ownSecret() {
  const kept = localStorage.getItem("player") ?? drawDigits(16);
  localStorage.setItem("player", kept);
  return kept;
}

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

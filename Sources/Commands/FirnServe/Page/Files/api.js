// Requests to the server. Whole numbers that JavaScript would round are kept as BigInt.

/** An error of the server, with its problem document. */
export class Problem extends Error {
  constructor(document, status) {
    super(document.title ?? `status ${status}`);
    this.document = document;
    this.status = status;
  }
}

function exact(key, value, context) {
  const isRounded = typeof value === "number" && context && !Number.isSafeInteger(value)
    && /^-?\d+$/.test(context.source);
  return isRounded ? BigInt(context.source) : value;
}

export function parse(text) { return JSON.parse(text, exact); }

/** Returns the address of a resource; parameters without a value are left out. */
export function address(path, parameters) {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined && value !== null && value !== "") search.append(name, value);
  }
  return `${path}?${search}`;
}

async function answer(response) {
  const text = await response.text();
  if (response.ok) return text;
  let document = { title: text || response.statusText };
  try { document = JSON.parse(text); } catch { /* a proxy in between answers in its own way */ }
  throw new Problem(document, response.status);
}

async function send(url, options) {
  try {
    return await answer(await fetch(url, options));
  } catch (error) {
    if (error instanceof Problem || error.name === "AbortError") throw error;
    throw new Problem({ title: "the server does not answer", remedy: "is firn serve still running?" }, 0);
  }
}

/** Returns one JSON document. */
export async function ask(path, parameters = {}, signal) {
  return parse(await send(address(path, parameters), { signal }));
}

/** Returns the records of a resource that has one in each line. */
export async function askLines(path, parameters = {}, signal) {
  const text = await send(address(path, parameters), { signal });
  return text.split("\n").filter(line => line).map(parse);
}

/** Returns the rows of a query; `onProgress` receives what is known of a query that takes long. */
export async function query(parameters, signal, onProgress) {
  const id = crypto.randomUUID();
  const end = onProgress ? watch(id, onProgress) : () => {};
  try {
    const text = await send(address("/v1/query", { ...parameters, format: "json" }), { signal, headers: { "X-Request-ID": id } });
    return parse(text || "[]");
  } finally { end(); }
}

const firstLook = 400;
const nextLook = 250;

/** Asks for the progress of a request until it has ended; returns how to end. */
function watch(id, onProgress) {
  let timer;
  let hasEnded = false;
  const look = async () => {
    // The answer to the request itself says what is wrong.
    const [running] = await askLines("/v1/running", { id }).catch(() => []);
    if (hasEnded) return;
    if (running) onProgress(running);
    timer = setTimeout(look, nextLook);
  };
  timer = setTimeout(look, firstLook);
  return () => { hasEnded = true; clearTimeout(timer); };
}

/** Changes objects; returns the report. */
export async function write(file, body, { type = "text/plain", version, ...parameters } = {}) {
  const headers = { "Content-Type": type, "Idempotency-Key": crypto.randomUUID() };
  if (version !== undefined) headers["If-Match"] = String(version);
  const text = await send(address("/v1/write", { file, ...parameters }), { method: "POST", headers, body });
  return text.split("\n").filter(line => line).map(parse);
}

/** Follows the changes of a query. */
export function observe(parameters, { onEvent, onError }) {
  const source = new EventSource(address("/v1/observe", parameters));
  for (const type of ["initial", "update", "reset", "coalesced", "end", "resume"]) {
    source.addEventListener(type, event => onEvent(type, parse(event.data)));
  }
  source.addEventListener("error", event => {
    // An error of the server has data; without, the browser connects again on its own.
    if (event.data) onError(parse(event.data));
  });
  return () => source.close();
}

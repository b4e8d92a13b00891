// The state of the page, as the part of its address after `#`: every state can be bookmarked and sent.

const defaults = { file: "", q: "", view: "grid", at: "", live: "", object: "" };
let current = { ...defaults };
const listeners = new Set();

export function state() { return current; }

export function onChange(listener) { listeners.add(listener); }

function read() {
  const search = new URLSearchParams(location.hash.slice(1));
  const found = { ...defaults };
  for (const key of Object.keys(defaults)) found[key] = search.get(key) ?? defaults[key];
  return found;
}

/** Changes some of the state, as a new entry of the history of the browser; returns whether it is another one. */
export function set(changes, { replace = false } = {}) {
  const next = { ...current, ...changes };
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(next)) if (value) search.set(key, value);
  const hash = `#${search}`;
  if (hash === location.hash) return false;
  history[replace ? "replaceState" : "pushState"](null, "", hash);
  update();
  return true;
}

function update() {
  const before = current;
  current = read();
  for (const listener of listeners) listener(current, before);
}

export function begin() {
  current = read();
  addEventListener("popstate", update);
  addEventListener("hashchange", update);
}

// Making elements. Values of the database become text, never markup.

/** Returns an element with attributes, listeners (`onclick`) and children. */
export function element(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

const svgSpace = "http://www.w3.org/2000/svg";

export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(svgSpace, tag), attributes, children);
}

function fill(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.flat(Infinity).filter(child => child !== null && child !== undefined && child !== ""));
  return made;
}

export function byID(id) { return document.getElementById(id); }

const directional = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Returns a value as people read it; signs that would rearrange the page are shown as codes. */
export function shown(value, limit = 200) {
  if (value === null || value === undefined) return "nil";
  let text = typeof value === "object" ? JSON.stringify(value, (_, part) => typeof part === "bigint" ? String(part) : part) : String(value);
  if (text.length > limit) text = text.slice(0, limit) + "\u2026";
  return text.replace(directional, sign => sign === "\n" ? "\u21b5" : `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Returns a number with separators between thousands. */
export function grouped(number) { return number.toLocaleString("en-US"); }

/** Calls a function at most once per frame. */
export function perFrame(work) {
  let isWaiting = false;
  return () => {
    if (isWaiting) return;
    isWaiting = true;
    requestAnimationFrame(() => { isWaiting = false; work(); });
  };
}

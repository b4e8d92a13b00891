// Forms in the dialog of the page, and the fields that fit the types of properties.
import { Problem } from "./api.js";
import { byID, element, shown } from "./dom.js";
import { literal } from "./language.js";

const numbers = /^-?\d*\.?\d+(e[+-]?\d+)?$/i;
const numbersOfJSON = /^-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?$/i;

/** Returns JSON in which whole numbers keep all of their digits. */
export function json(value) {
  const mark = crypto.randomUUID();
  const text = JSON.stringify(value, (_, part) => typeof part === "bigint" ? mark + part : part);
  return text.replace(new RegExp(`"${mark}(-?\\d+)"`, "g"), "$1");
}

/** Whether two values of JSON are the same. */
export function isSame(left, right) { return json(left ?? null) === json(right ?? null); }

/** Returns a field that fits a type; `text()` is its value in the language, `json()` that in JSON, `isTouched()` whether it was changed. */
export function input(property, value) {
  const type = property.type;
  if (type === "Bool") {
    const choice = element("select", { "aria-label": property.name },
      [...(property.optional ? ["nil"] : []), "true", "false"].map(word => element("option", {}, word)));
    choice.value = value === null || value === undefined ? (property.optional ? "nil" : "false") : String(value);
    const first = choice.value;
    const isNil = () => choice.value === "nil";
    return { field: choice, text: () => choice.value, json: () => isNil() ? "null" : choice.value, isTouched: () => choice.value !== first };
  }
  // A text may have several lines, which an input would join.
  const first = value === null || value === undefined ? "" : typeof value === "object" ? json(value) : String(value);
  const field = type === "String" ? element("textarea", { "aria-label": property.name, rows: first.includes("\n") ? 6 : 1, placeholder: property.optional ? "nil" : null })
    : element("input", { "aria-label": property.name, type: "text", inputmode: type === "Int" ? "numeric" : type === "Double" ? "decimal" : null, placeholder: property.optional ? "nil" : null });
  field.value = first;
  // The browser may write line ends in its own way.
  const before = field.value;
  const isNil = () => field.value === "" && (property.optional || type !== "String");
  // Digits go as they are typed: a number of JavaScript would round them.
  const isNumber = () => (type === "Int" || type === "Double") && numbers.test(field.value.trim());
  return {
    field, isTouched: () => field.value !== before,
    text: () => isNil() ? "nil" : isNumber() ? field.value.trim() : literal(field.value, type),
    json: () => isNil() ? "null" : isNumber() && numbersOfJSON.test(field.value.trim()) ? field.value.trim() : JSON.stringify(field.value),
  };
}

/** Tells of an error, and keeps what was typed. */
export function tell(place, error) {
  const document = error.document ?? {};
  const isConflict = error instanceof Problem && error.status === 412;
  place.replaceChildren(isConflict
    ? "Somebody else has changed the database since: the newest values are shown below; save again to change them."
    : `${shown(document.title ?? error.message, 400)} ${shown(document.remedy ?? "", 200)}`);
}

/** Shows a form; resolves when it is saved or left. */
export function form(title, content, save, { remark = "", action = "Save" } = {}) {
  const dialog = byID("dialog");
  const problem = element("p", { role: "alert", class: "wrong" });
  return new Promise(resolve => {
    const submit = async event => {
      event.preventDefault();
      try { await save(problem); dialog.close(); resolve(true); } catch (error) { tell(problem, error); }
    };
    dialog.replaceChildren(element("form", { method: "dialog", onsubmit: submit },
      element("h2", {}, title), remark ? element("p", { class: "faint" }, remark) : null, content, problem,
      element("div", { class: "buttons" },
        element("button", { type: "button", onclick: () => { dialog.close(); resolve(false); } }, "Cancel"),
        element("button", { type: "submit", class: "primary" }, action))));
    dialog.oncancel = () => resolve(false);
    dialog.showModal();
  });
}


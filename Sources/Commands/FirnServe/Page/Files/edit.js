// Changes of objects: one value, a new object, rows that were pasted; and undo.
import { Problem, query, write } from "./api.js";
import { byID, element, shown } from "./dom.js";
import { literal, name } from "./language.js";
import { condition } from "./object.js";

const undos = [];

const numbers = /^-?\d*\.?\d+(e[+-]?\d+)?$/i;

/** Returns JSON in which whole numbers keep all of their digits. */
export function json(value) {
  const mark = crypto.randomUUID();
  const text = JSON.stringify(value, (_, part) => typeof part === "bigint" ? mark + part : part);
  return text.replace(new RegExp(`"${mark}(-?\\d+)"`, "g"), "$1");
}

function isSame(left, right) { return json(left ?? null) === json(right ?? null); }

/** Returns a field that fits a type; `text()` is its value in the language, `isTouched()` whether it was changed. */
function input(property, value) {
  const type = property.type;
  if (type === "Bool") {
    const choice = element("select", { "aria-label": property.name },
      [...(property.optional ? ["nil"] : []), "true", "false"].map(word => element("option", {}, word)));
    choice.value = value === null || value === undefined ? (property.optional ? "nil" : "false") : String(value);
    const first = choice.value;
    return { field: choice, text: () => choice.value, isTouched: () => choice.value !== first };
  }
  // A text may have several lines, which an input would join.
  const first = value === null || value === undefined ? "" : typeof value === "object" ? json(value) : String(value);
  const field = type === "String" ? element("textarea", { "aria-label": property.name, rows: first.includes("\n") ? 6 : 1, placeholder: property.optional ? "nil" : null })
    : element("input", { "aria-label": property.name, type: "text", inputmode: type === "Int" ? "numeric" : type === "Double" ? "decimal" : null, placeholder: property.optional ? "nil" : null });
  field.value = first;
  // The browser may write line ends in its own way.
  const before = field.value;
  return { field, isTouched: () => field.value !== before, text: () => {
    const text = field.value;
    if (text === "" && (property.optional || type !== "String")) return "nil";
    if (type === "Int" || type === "Double") return numbers.test(text.trim()) ? text.trim() : literal(text);
    return literal(text, type);
  } };
}

/** Tells of an error, and keeps what was typed. */
function tell(place, error) {
  const document = error.document ?? {};
  const isConflict = error instanceof Problem && error.status === 412;
  place.replaceChildren(isConflict
    ? "Somebody else has changed the database since: the newest values are shown below; save again to change them."
    : `${shown(document.title ?? error.message, 400)} ${shown(document.remedy ?? "", 200)}`);
}

/** Shows a form; resolves when it is saved or left. */
function form(title, content, save, remark = "") {
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
        element("button", { type: "submit", class: "primary" }, "Save"))));
    dialog.oncancel = () => resolve(false);
    dialog.showModal();
  });
}

async function current(file, known, row) {
  const q = `${name(known.name)} ${condition(known, row)}`;
  const [found] = await query({ file, q: known.key ? q : `${q} | select(*, @id)`, limit: 1 });
  return found;
}

/** Changes one value, if nobody else has changed it meanwhile. */
export async function editValue({ file, known, row, property }) {
  const before = row[property.name];
  const { field, text, isTouched } = input(property, before);
  const old = element("p", { class: "faint" }, `now: ${shown(before, 300)}`);
  let expected = before;
  return form(`${shown(known.name, 40)}.${shown(property.name, 60)}`, [field, old], async () => {
    if (!isTouched()) return;
    const now = await current(file, known, row);
    if (!now) throw new Error("the object is gone");
    if (!isSame(now[property.name], expected)) {
      expected = now[property.name];
      old.replaceChildren(`now: ${shown(expected, 300)}`);
      throw new Problem({ title: "conflict" }, 412);
    }
    const where = `${name(known.name)} ${condition(known, row)} AND ${name(property.name)} == ${literal(expected, property.type)}`;
    const statement = `${where} | set ${name(property.name)} = ${text()}`;
    const [report] = await write(file, statement);
    if (report.updated === 0 && report.unchanged === 0) throw new Problem({ title: "conflict" }, 412);
    undos.push({ file, statement: `${name(known.name)} ${condition(known, row)} | set ${name(property.name)} = ${literal(expected, property.type)}` });
  });
}

/** Adds an object. */
export async function addObject({ file, known }) {
  const fields = known.properties.filter(property => !property.type.includes("<"))
    .map(property => ({ property, ...input({ ...property, optional: true }, null) }));
  return form(`New ${shown(known.name, 60)}`, fields.map(({ property, field }) =>
    element("label", {}, element("span", {}, `${shown(property.name, 60)} `, element("small", { class: "faint" }, property.type)), field)),
  async () => {
    const members = [];
    const object = {};
    for (const { property, field, isTouched } of fields) {
      if (!isTouched() || field.value === "" || field.value === "nil") continue;
      // Digits go as they are typed: a number of JavaScript would round them.
      const isNumber = ["Int", "Double"].includes(property.type) && /^-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?$/i.test(field.value.trim());
      const value = property.type === "Bool" ? field.value : isNumber ? field.value.trim() : JSON.stringify(field.value);
      members.push(`${JSON.stringify(property.name)}:${value}`);
      object[property.name] = isNumber && property.type === "Int" ? BigInt(field.value.trim()) : field.value;
    }
    await write(file, `[{${members.join(",")}}]`, { type: "application/json", class: known.name });
    if (known.key) undos.push({ file, statement: `${name(known.name)} ${condition(known, object)} | delete` });
  });
}

/** Inserts and changes objects from a table that is pasted; the report is shown before anything changes. */
export async function pasteRows({ file, known }) {
  const area = element("textarea", { "aria-label": "Rows with a line of names, separated by tabs or commas", spellcheck: "false" });
  const preview = element("p", { class: "faint" }, "Rows as copied from a spreadsheet; the first line has the names.");
  let checked = null;
  return form(`Rows for ${shown(known.name, 60)}`, [area, preview], async () => {
    const body = area.value.endsWith("\n") ? area.value : `${area.value}\n`;
    const type = body.split("\n", 1)[0].includes("\t") ? "text/tab-separated-values" : "text/csv";
    const parameters = { type, class: known.name, policy: known.key ? "upsert" : "insert" };
    if (checked !== body) {
      const [report] = await write(file, body, { ...parameters, "dry-run": "true" });
      checked = body;
      preview.replaceChildren(`This adds ${report.inserted} and changes ${report.updated} objects. Save again to do it.`);
      throw new Error("");
    }
    await write(file, body, parameters);
  });
}

/** Deletes an object after a question. */
export async function deleteObject({ file, known, row }) {
  return form(`Delete this ${shown(known.name, 60)}?`, [element("pre", { class: "text" }, shown(row, 2000))], async () => {
    const { "@id": number, ...saved } = row;
    const records = json([saved]);
    await write(file, `${name(known.name)} ${condition(known, row)} | delete`);
    undos.push({ file, records, class: known.name });
  });
}

export function canUndo() { return undos.length > 0; }

/** Takes the last change of this page back. */
export async function undo() {
  const last = undos.pop();
  if (!last) return;
  if (last.statement) await write(last.file, last.statement, { note: "undo" });
  else await write(last.file, last.records, { type: "application/json", class: last.class, note: "undo" });
}

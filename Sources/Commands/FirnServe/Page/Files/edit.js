// Changes of objects: one value, a new object, rows that were pasted; and undo.
import { Problem, query, write } from "./api.js";
import { byID, element, shown } from "./dom.js";
import { literal, name } from "./language.js";
import { condition } from "./object.js";

const undos = [];

/** Returns an input that fits a type, with its value as text of the language. */
function input(property, value) {
  const type = property.type;
  if (type === "Bool") {
    const choice = element("select", { "aria-label": property.name },
      [...(property.optional ? ["nil"] : []), "true", "false"].map(word => element("option", {}, word)));
    choice.value = value === null ? "nil" : String(value ?? "false");
    return { field: choice, text: () => choice.value };
  }
  const field = element("input", {
    "aria-label": property.name, value: value === null || value === undefined ? "" : typeof value === "object" ? JSON.stringify(value) : String(value),
    type: type === "Int" || type === "Double" ? "text" : "text", inputmode: type === "Int" ? "numeric" : type === "Double" ? "decimal" : null,
    placeholder: property.optional ? "nil" : null,
  });
  return { field, text: () => {
    const text = field.value;
    if (text === "" && (property.optional || type !== "String")) return "nil";
    if (type === "Int" || type === "Double") return /^-?[\d.]+(e[+-]?\d+)?$/i.test(text.trim()) ? text.trim() : literal(text);
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
  const { field, text } = input(property, before);
  const old = element("p", { class: "faint" }, `now: ${shown(before, 300)}`);
  let expected = before;
  return form(`${shown(known.name, 40)}.${shown(property.name, 60)}`, [field, old], async () => {
    const now = await current(file, known, row);
    if (!now) throw new Error("the object is gone");
    if (JSON.stringify(now[property.name] ?? null) !== JSON.stringify(expected ?? null)) {
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
    const object = {};
    for (const { property, field } of fields) {
      if (field.value === "" || field.value === "nil") continue;
      const isNumber = ["Int", "Double"].includes(property.type) && /^-?[\d.]+(e[+-]?\d+)?$/i.test(field.value.trim());
      object[property.name] = property.type === "Bool" ? field.value === "true" : isNumber ? Number(field.value) : field.value;
    }
    await write(file, JSON.stringify([object]), { type: "application/json", class: known.name });
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
    const saved = { ...row };
    delete saved["@id"];
    await write(file, `${name(known.name)} ${condition(known, row)} | delete`);
    undos.push({ file, records: JSON.stringify([saved]), class: known.name });
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

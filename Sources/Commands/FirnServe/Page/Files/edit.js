// Changes of objects: one value, a new object, rows that were pasted.
import { parse, Problem, query, write } from "./api.js";
import { collect, isCollecting } from "./changes.js";
import { element, shown } from "./dom.js";
import { form, input, isSame, json } from "./form.js";
import { literal, name } from "./language.js";
import { condition } from "./object.js";
import { remember } from "./undo.js";

async function current(file, known, row) {
  const q = `${name(known.name)} ${condition(known, row)}`;
  const [found] = await query({ file, q: known.key ? q : `${q} | select(*, @id)`, limit: 1 });
  return found;
}

/** Changes one value, if nobody else has changed it meanwhile. */
export async function editValue({ file, known, row, property }) {
  const before = row[property.name];
  const { field, text, json: jsonText, isTouched } = input(property, before);
  const old = element("p", { class: "faint" }, `now: ${shown(before, 300)}`);
  let expected = before;
  return form(`${shown(known.name, 40)}.${shown(property.name, 60)}`, [field, old], async () => {
    if (!isTouched()) return;
    if (isCollecting()) {
      return collect({ file, known, id: row[known.key ?? "@id"], kind: "update", before: { ...row }, set: { [property.name]: jsonText() } });
    }
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
    remember({ file, statement: `${name(known.name)} ${condition(known, row)} | set ${name(property.name)} = ${literal(expected, property.type)}` });
  });
}

/** Adds an object. */
export async function addObject({ file, known }) {
  const fields = known.properties.filter(property => !property.type.includes("<"))
    .map(property => ({ property, ...input({ ...property, optional: true }, null) }));
  return form(`New ${shown(known.name, 60)}`, fields.map(({ property, field }) =>
    element("label", {}, element("span", {}, `${shown(property.name, 60)} `, element("small", { class: "faint" }, property.type)), field)),
  async () => {
    const set = {};
    for (const { property, json: jsonText, isTouched } of fields) {
      if (isTouched() && jsonText() !== "null") set[property.name] = jsonText();
    }
    const id = known.key ? set[known.key] : undefined;
    if (isCollecting()) return collect({ file, known, id, kind: "insert", set });
    const members = Object.entries(set).map(([key, value]) => `${JSON.stringify(key)}:${value}`);
    await write(file, `[{${members.join(",")}}]`, { type: "application/json", class: known.name });
    if (id !== undefined) remember({ file, statement: `${name(known.name)} ${condition(known, { [known.key]: parse(id) })} | delete` });
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
    if (isCollecting()) return collect({ file, known, id: row[known.key ?? "@id"], kind: "delete", before: { ...row } });
    const { "@id": number, ...saved } = row;
    const records = json([saved]);
    await write(file, `${name(known.name)} ${condition(known, row)} | delete`);
    remember({ file, records, class: known.name });
  }, { remark: "Links of other objects to it become nil, also if this is undone." });
}

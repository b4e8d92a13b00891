// A transaction of several changes: they are collected, shown as a difference, and committed together.
import { askLines, Problem, query, write } from "./api.js";
import { element, shown } from "./dom.js";
import { form, isSame, json } from "./form.js";
import { name } from "./language.js";
import { condition } from "./object.js";
import { remember } from "./undo.js";

/**
 * The collected changes by object: `{ file, known, id, kind, before, set }`.
 *
 * `kind` is "update", "insert" or "delete"; `before` has the values that the person saw, `now` those of
 * the newest version, and `set` the new ones as JSON.
 */
const changes = new Map();
let isOn = false;

export function isCollecting() { return isOn; }

/** Begins to collect, or ends it; what was collected stays. */
export function collectChanges(on) { isOn = on; }

export function changeCount(file) { return changesOf(file).length; }

function changesOf(file) { return [...changes.values()].filter(change => change.file === file); }

/** Adds a change, after the server has checked its values. */
export async function collect(change) {
  const id = change.id === undefined ? crypto.randomUUID() : String(change.id);
  const key = [change.file, change.known.name, id].map(part => JSON.stringify(part)).join();
  const former = changes.get(key);
  if (former?.kind === "insert") throw new Error("an object of this key is added already");
  if (former?.kind === "delete") throw new Error("this object is to be deleted: leave that out first");
  await write(change.file, operation(change), { type: "application/x-ndjson", input: "ops", "dry-run": "true" });
  if (former && change.kind === "update") {
    Object.assign(former.set, change.set);
    former.before = { ...change.before, ...former.before };
  } else {
    changes.set(key, change);
  }
}

// Operations

function members(pairs) { return `{${pairs.map(([key, text]) => `${JSON.stringify(key)}:${text}`).join(",")}}`; }

function operation({ known, id, kind, before, set }) {
  const head = [["op", JSON.stringify(kind)], ["class", JSON.stringify(known.name)]];
  if (kind === "insert") return `${members([...head, ["object", members(Object.entries(set))]])}\n`;
  const identity = json(known.key ? before[known.key] : id);
  if (kind === "delete") return `${members([...head, ["id", identity]])}\n`;
  return `${members([...head, ["object", members([[known.key ?? "$id", identity], ...Object.entries(set)])]])}\n`;
}

/** Returns the operation that takes a change back, or nothing: without a key, an object gets another number. */
function inverse({ known, id, kind, before, now = before, set }) {
  if (kind === "update") {
    const old = Object.fromEntries(Object.keys(set).map(key => [key, json(now[key] ?? null)]));
    return operation({ known, id, kind, before, set: old });
  }
  if (!known.key) return "";
  if (kind === "insert") return `${members([["op", "\"delete\""], ["class", JSON.stringify(known.name)], ["id", set[known.key]]])}\n`;
  const { "@id": number, ...saved } = now;
  return `${members([["op", "\"insert\""], ["class", JSON.stringify(known.name)], ["object", json(saved)]])}\n`;
}

// Review

/** Shows what would change, and commits it; a change of another writer is told, not overwritten. */
export async function review({ file }) {
  const list = element("div", { class: "changes" });
  const note = element("input", { type: "text", "aria-label": "Note on the commit", maxlength: 1000 });
  let { version } = await refreshed(file);
  const draw = () => list.replaceChildren(...changesOf(file).map(change => line(change, draw)));
  draw();
  return form("Changes to commit", [list, element("label", {}, element("span", {}, "Note"), note)], async () => {
    const all = changesOf(file);
    if (!all.length) return;
    try {
      await write(file, all.map(operation).join(""), { type: "application/x-ndjson", input: "ops", version, note: note.value });
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 412) throw error;
      const found = await refreshed(file);
      version = found.version;
      draw();
      // A commit that has not touched these objects is no conflict.
      if (found.hasNews) throw error;
      await write(file, all.map(operation).join(""), { type: "application/x-ndjson", input: "ops", version, note: note.value });
    }
    for (const [key, change] of changes) if (change.file === file) changes.delete(key);
    const operations = all.map(inverse);
    if (operations.every(text => text)) remember({ file, operations: operations.reverse().join("") });
  }, { action: "Commit" });
}

/** Reads the objects again; returns the version that has them, and whether others have changed them since. */
async function refreshed(file) {
  const [{ version }] = await askLines("/v1/versions", { file, limit: 1 });
  let hasNews = false;
  for (const change of changesOf(file)) {
    if (change.kind === "insert") continue;
    const { known, before } = change;
    const q = `${name(known.name)} ${condition(known, before)}`;
    const [now] = await query({ file, at: version, q: known.key ? q : `${q} | select(*, @id)`, limit: 1 });
    const names = change.kind === "delete" ? known.properties.map(property => property.name) : Object.keys(change.set);
    const differs = (left, right) => !left !== !right || names.some(key => left && !isSame(left[key], right[key]));
    hasNews ||= differs(now, "now" in change ? change.now : before);
    change.isConflict = differs(now, before);
    change.now = now;
  }
  return { version, hasNews };
}

/** The difference that a change makes. */
function line(change, draw) {
  const { known, kind, now = change.before, set } = change;
  const values = kind === "delete" ? [element("span", { class: "old" }, shown(now, 300))]
    : Object.entries(set).map(([key, text]) => element("div", {}, `${shown(key, 60)} `,
      kind === "update" ? [element("span", { class: "old" }, shown(now[key], 120)), " \u2192 "] : "", shown(text, 120)));
  return element("div", { class: { insert: "diff-new", delete: "diff-gone", update: "diff-changed" }[kind] },
    element("strong", {}, `${kind} ${shown(known.name, 60)} ${change.id === undefined ? "" : shown(change.id, 60)} `),
    element("button", { type: "button", "aria-label": `Leave out ${kind} ${known.name} ${change.id ?? ""}`, onclick: () => {
      for (const [key, other] of changes) if (other === change) changes.delete(key);
      draw();
    } }, "\u00d7"),
    values, change.isConflict ? element("p", { class: "wrong" }, "Somebody else has changed this object meanwhile.") : null);
}

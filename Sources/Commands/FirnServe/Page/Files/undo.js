// The changes of this page that can be taken back.
import { write } from "./api.js";

const undos = [];

/** Keeps how to take a change back: a `statement`, `records` of a `class`, or `operations`. */
export function remember(change) { undos.push(change); }

export function canUndo() { return undos.length > 0; }

/** Takes the last change of this page back. */
export async function undo() {
  const last = undos.at(-1);
  if (!last) return;
  const note = "undo";
  if (last.statement) await write(last.file, last.statement, { note });
  else if (last.operations) await write(last.file, last.operations, { type: "application/x-ndjson", input: "ops", note });
  else await write(last.file, last.records, { type: "application/json", class: last.class, note });
  // One that fails can be tried again.
  undos.splice(undos.indexOf(last), 1);
}

// The page: it shows the state that its address names, and changes the address.
import { ask, askLines, observe, query } from "./api.js";
import { drawn, form as chartForm, save } from "./chart.js";
import { byID, element, grouped, shown } from "./dom.js";
import { changeCount, collectChanges, isCollecting, review } from "./changes.js";
import { addObject, deleteObject, editValue, pasteRows } from "./edit.js";
import { Grid } from "./grid.js";
import { className, filtered, hasObjects, isWhole, joined, literal, name, order, sorted, stages } from "./language.js";
import { QueryLine } from "./line.js";
import { ObjectPanel } from "./object.js";
import { showProfile } from "./profile.js";
import { showSchema } from "./schema.js";
import { begin, onChange, set, state } from "./state.js";
import { canUndo, undo } from "./undo.js";
import { showVersions } from "./versions.js";

const valuesMaximum = 5000;
let files = [];
let classes = [];
let isWritable = false;
/** The result that is shown: its query, class and key, and its rows if they are not objects. */
let result = null;
let stopLive = null;
let running = new AbortController();

const status = text => { byID("status").textContent = text; };
const file = () => state().file || files[0]?.name;
const at = () => state().at;

const line = new QueryLine({ file, onRun: q => {
  const view = ["schema", "versions"].includes(state().view) ? "grid" : state().view;
  // The same query is run again, for example after the server was gone.
  if (!set({ q, view, object: "" })) run();
} });

const grid = new Grid(byID("grid"), {
  fetch: (skip, limit) => result.rows ? Promise.resolve(result.rows.slice(skip, skip + limit))
    : query({ file: file(), at: at(), q: joined([result.q, result.key === "@id" ? "select(*, @id)" : "", `SKIP(${skip}) LIMIT(${limit})`]) }, running.signal),
  onSort: column => {
    const now = order(state().q);
    set({ q: sorted(state().q, column, now?.column === column && !now.isDescending) });
  },
  onFilter: (column, value) => filter(column, value),
  onPick: row => { if (result.known && result.key) set({ object: `${result.known.name}/${row[result.key]}` }); },
  onEdit: (row, column) => edit(result.known, row, result.known?.properties.find(property => property.name === column.name)),
  onError: error => { if (error.name !== "AbortError") line.showMistake(error, state().q); },
});

const panel = new ObjectPanel({
  file, at, classes: () => classes, isWritable: () => isWritable && !at(),
  onOpen: (known, key) => set({ object: `${known.name}/${key}` }),
  onQuery: q => set({ q, view: "grid" }),
  onClose: () => { set({ object: "" }); grid.focus(); },
  onEdit: edit,
  onDelete: async (known, row) => { if (await deleteObject({ file: file(), known, row })) { set({ object: "" }); changed(); } },
});

function filter(column, value) {
  const property = result?.known?.properties.find(property => property.name === column.name);
  if (value !== null && typeof value === "object") return;
  const q = filtered(state().q, `${name(column.name)} == ${literal(value, property?.type ?? column.type)}`);
  set({ q });
}

async function edit(known, row, property) {
  if (!isWritable || at() || !known || !row || !property || property.name === known.key) return;
  if (await editValue({ file: file(), known, row, property })) changed();
}

/** After a change of this page, which a live stream shows on its own. */
function changed() {
  showTools();
  if (!stopLive) run();
  if (state().object) showObject();
}

// Running queries

async function run() {
  running.abort();
  running = new AbortController();
  const { signal } = running;
  const q = state().q;
  if (!q) return;
  const start = performance.now();
  status("\u2026");
  hideProgress();
  const onProgress = running => { if (!signal.aborted) showProgress(running); };
  const known = className(q, classes);
  const isObjects = Boolean(known) && hasObjects(q);
  try {
    if (isObjects) {
      const [found] = await query({ file: file(), at: at(), q: joined([q, "count"]) }, signal, onProgress);
      result = { q, known, key: known.key ?? "@id" };
      grid.show({ columns: columnsOf(known), count: found.count, key: result.key, order: order(q) });
      status(`${grouped(found.count)} ${found.count === 1 ? "object" : "objects"} \u00b7 ${Math.round(performance.now() - start)} ms`);
    } else {
      const rows = await query({ file: file(), at: at(), q, limit: isWhole(q) ? "" : valuesMaximum }, signal, onProgress);
      result = { q, known, rows };
      grid.show({ columns: columnsOfRows(rows), count: rows.length, order: order(q) });
      const more = rows.length === valuesMaximum ? "the first " : "";
      status(`${more}${grouped(rows.length)} ${rows.length === 1 ? "row" : "rows"} \u00b7 ${Math.round(performance.now() - start)} ms`);
    }
    hideProgress();
    line.hideMistake();
    showTools();
    await showView();
    follow();
  } catch (error) {
    if (error.name === "AbortError") return;
    hideProgress();
    status("");
    line.showMistake(error, q);
  }
}

/** Shows how far a query is that takes long, and a button that ends it. */
function showProgress({ seconds, progress }) {
  const unit = progress && "objects" in progress ? "objects" : "rows";
  const bar = byID("progress");
  if (progress?.of) { bar.max = progress.of; bar.value = progress[unit]; } else bar.removeAttribute("value");
  const amount = progress?.[unit] === undefined ? "running" : `${progress.what} ${grouped(progress[unit])}${progress.of ? ` of ${grouped(progress.of)}` : ""} ${unit}`;
  status(`${amount} \u00b7 ${Math.round(seconds)} s`);
  bar.hidden = byID("stop").hidden = false;
}

function hideProgress() { byID("progress").hidden = byID("stop").hidden = true; }

function stop() {
  running.abort();
  hideProgress();
  status("stopped");
}

function columnsOf(known) {
  return known.properties.map(property => ({
    name: property.name, type: property.type, isNumber: ["Int", "Double", "Decimal128"].includes(property.type),
  }));
}

function columnsOfRows(rows) {
  return Object.keys(rows[0] ?? {}).map(column => ({
    name: column, isNumber: rows.slice(0, 50).every(row => row[column] === null || ["number", "bigint"].includes(typeof row[column])),
  }));
}

// Live

function follow() {
  stopLive?.();
  stopLive = null;
  const button = byID("live");
  const isOn = Boolean(state().live) && !at();
  button.setAttribute("aria-pressed", isOn);
  button.disabled = Boolean(at());
  if (!isOn || !result) return;
  const shownResult = result;
  stopLive = observe({ file: file(), q: result.q, initial: "count" }, {
    onEvent: (type, data) => {
      if (shownResult !== result) return;
      if (type === "update") update(data);
      if (type === "reset") run();
      if (type === "end") status("the server has ended; this page connects again when it is back");
    },
    onError: problem => {
      stopLive?.();
      stopLive = null;
      const tell = error => line.showMistake(error, state().q);
      // Gone: another file has this name now, perhaps with other classes.
      if (problem.status === 410) open().then(run, tell);
      else tell({ document: problem, message: problem.title });
    },
  });
}

/** Marks what a commit has changed. */
function update(data) {
  const marks = new Map();
  for (const item of data.insertions ?? []) marks.set(JSON.stringify(String(item.id)), { isNew: true });
  for (const item of data.modifications ?? []) marks.set(JSON.stringify(String(item.id)), { names: new Set(item.changed), object: item.object });
  const by = [data.author ? `by ${shown(data.author, 40)}` : "", data.note ? `\u201c${shown(data.note, 80)}\u201d` : ""].filter(Boolean).join(" ");
  const counts = `+${data.insertions?.length ?? 0} ~${data.modifications?.length ?? 0} -${data.deletions?.length ?? 0}`;
  status(`${grouped(data.count)} objects \u00b7 v${data.version} ${counts} ${by}`);
  if (result.rows) return rerun();
  const isInPlace = !data.insertions?.length && !data.deletions?.length && data.modifications?.every(item => item.from === item.to);
  grid.refresh(data.count, marks, isInPlace);
  if (state().object) showObject();
  return ["chart", "profile"].includes(state().view) ? showView() : undefined;
}

/** Values that are computed are read again. */
async function rerun() {
  const shownResult = result;
  const rows = await query({ file: file(), q: result.q, limit: isWhole(result.q) ? "" : valuesMaximum });
  if (shownResult !== result) return;
  result.rows = rows;
  grid.refresh(rows.length, new Map());
  if (state().view === "chart") showView();
}

// Views

async function showView() {
  const { view } = state();
  for (const tab of byID("views").children) {
    const isChosen = tab.dataset.view === view;
    tab.setAttribute("aria-selected", isChosen);
    tab.tabIndex = isChosen ? 0 : -1;
    byID(tab.getAttribute("aria-controls")).hidden = !isChosen;
  }
  const { signal } = running;
  if (view === "grid") grid.redraw();
  if (view === "chart") await showChart();
  if (view === "schema") await showSchema(byID("schema"), { file: file(), at: at(), classes, onClass: known => set({ q: name(known.name), view: "grid" }) });
  if (view === "versions") await showVersions(byID("versions"), { file: file(), onShow: version => set({ at: String(version), view: "grid" }) });
  if (view === "text") showText();
  if (view === "profile") {
    if (result?.known && !result.rows) {
      await showProfile(byID("profile"), { file: file(), at: at(), q: result.q, known: result.known, signal, hooks: { onFilter: filter } });
    } else {
      byID("profile").replaceChildren(element("p", {}, "The columns of objects are shown here; this result has other values."));
    }
  }
}

async function showChart() {
  const section = byID("chart");
  if (!result) return;
  const rows = result.rows ?? await query({ file: file(), at: at(), q: joined([result.q, "LIMIT(2000)"]) }, running.signal);
  const drawing = drawn(rows, chartForm(rows));
  if (!drawing) {
    section.replaceChildren(element("p", {}, "A chart needs a number. Group the objects, for example:"),
      element("pre", { class: "text" }, joined([stages(state().q)[0], `group(${name(result.known?.properties[0]?.name ?? "property")}; n = @count)`])));
    return;
  }
  section.replaceChildren(drawing, element("p", {},
    element("button", { onclick: () => save(drawing, "svg") }, "Save as SVG"), " ",
    element("button", { onclick: () => save(drawing, "png") }, "Save as PNG")));
}

/** The statement for other programs. */
function showText() {
  const { q } = state();
  const quoted = `'${q.replaceAll("'", "'\\''")}'`;
  const swift = result?.known && !result.rows
    ? `realm.objects(${result.known.name}.self).filter(${JSON.stringify(q.replace(/^\s*\S+\s*/, ""))})` : "";
  const texts = [["Shell", `firn query ${file()} ${quoted}`],
    ["curl", `curl -H "Authorization: Bearer $TOKEN" -G ${location.origin}/v1/query \\\n  --data-urlencode q=${quoted}`],
    ["Every change", `firn observe ${file()} ${quoted}`]];
  if (swift) texts.push(["Swift", swift]);
  byID("text-view").replaceChildren(...texts.flatMap(([title, text]) => [
    element("h2", {}, title), element("pre", { class: "text" }, text),
    element("button", { onclick: () => navigator.clipboard.writeText(text) }, "Copy"),
  ]));
}

function showSteps() {
  const parts = stages(state().q);
  byID("steps").replaceChildren(...(parts.length < 2 ? [] : parts.map((part, index) => element("li", {},
    element("code", {}, shown(part, 120)), index === 0 ? null : element("button", {
      "aria-label": `Remove ${part}`, onclick: () => set({ q: joined(parts.filter((_, other) => other !== index)) }),
    }, "\u00d7")))));
}

function showTools() {
  const tools = byID("add");
  tools.hidden = !isWritable || Boolean(at()) || !result?.known || result.known.embedded;
  for (const extra of document.querySelectorAll(".tool")) extra.remove();
  if (tools.hidden) return;
  const count = changeCount(file());
  tools.after(element("button", { class: "tool", disabled: isCollecting(), onclick: async () => { if (await pasteRows({ file: file(), known: result.known })) changed(); } }, "Paste rows"),
    element("button", { class: "tool", "aria-pressed": String(isCollecting()), title: "Collect edits, new objects and deletions, and commit them together", onclick: () => { collectChanges(!isCollecting()); showTools(); } }, "Collect"),
    ...(count ? [element("button", { class: "tool primary", onclick: async () => { if (await review({ file: file() })) changed(); else showTools(); } }, `Review ${grouped(count)} ${count === 1 ? "change" : "changes"}`)] : []),
    ...(canUndo() ? [element("button", { class: "tool", onclick: async () => {
      try { await undo(); changed(); } catch (error) { line.showMistake(error, ""); }
    } }, "Undo")] : []));
}

function showObject() {
  const { object } = state();
  const slash = object.indexOf("/");
  if (!object) return panel.hide();
  return panel.show(object.slice(0, slash), object.slice(slash + 1));
}

// Files, classes and versions

async function open() {
  const document = await ask("/v1/schema", { file: file(), at: at() });
  classes = document.classes;
  const list = byID("classes");
  const items = classes.map(known => {
    const count = element("small", {});
    return { known, count, item: element("li", {}, element("button", { "data-class": known.name, onclick: () => set({ q: name(known.name), view: "grid", object: "" }) },
      element("span", {}, shown(known.name, 40)), count)) };
  });
  list.replaceChildren(...items.map(({ item }) => item));
  markClass();
  showVersion();
  for (const { known, count } of items) {
    query({ file: file(), at: at(), q: `${name(known.name)} | count` }).then(([found]) => { count.textContent = grouped(found.count); }, () => {});
  }
  if (!state().q && classes.length) set({ q: name(classes.find(known => !known.embedded)?.name ?? classes[0].name) }, { replace: true });
}

function markClass() {
  const current = className(state().q, classes)?.name;
  for (const button of byID("classes").querySelectorAll("button")) {
    if (button.dataset.class === current) button.setAttribute("aria-current", "true");
    else button.removeAttribute("aria-current");
  }
}

async function showVersion() {
  const slider = byID("version");
  const versions = await askLines("/v1/versions", { file: file(), limit: 1000 }).catch(() => []);
  if (!versions.length) return;
  slider.min = versions.at(-1).version;
  slider.max = versions[0].version;
  slider.value = at() || slider.max;
  slider.disabled = slider.min === slider.max;
  byID("version-name").textContent = at() ? `v${at()}` : "newest";
}

function apply(next, before) {
  line.text = next.q;
  showSteps();
  markClass();
  if (next.file !== before.file || next.at !== before.at) open().then(run, error => line.showMistake(error, next.q));
  else if (next.q !== before.q) run();
  else if (next.live !== before.live) follow();
  if (next.view !== before.view) showView();
  if (next.object !== before.object || next.at !== before.at) showObject();
}

async function start() {
  const listed = await ask("/v1/files");
  files = listed.files;
  isWritable = listed.writable;
  byID("file").replaceChildren(...files.map(one => element("option", { value: one.name }, one.name)));
  document.querySelector("label.file").hidden = files.length < 2;
  begin();
  byID("file").value = file();
  byID("file").addEventListener("change", event => set({ file: event.target.value, q: "", at: "", object: "" }));
  byID("views").addEventListener("click", event => { const view = event.target.dataset.view; if (view) set({ view }); });
  byID("views").addEventListener("keydown", event => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const tabs = [...byID("views").children];
    const next = tabs[(tabs.indexOf(document.activeElement) + step + tabs.length) % tabs.length];
    set({ view: next.dataset.view });
    next.focus();
  });
  byID("stop").addEventListener("click", stop);
  // What was collected would be lost.
  addEventListener("beforeunload", event => { if (files.some(one => changeCount(one.name))) event.preventDefault(); });
  byID("live").addEventListener("click", () => set({ live: state().live ? "" : "1" }));
  byID("add").addEventListener("click", async () => { if (await addObject({ file: file(), known: result.known })) changed(); });
  byID("version").addEventListener("change", event => set({ at: event.target.value === event.target.max ? "" : event.target.value }));
  byID("version").addEventListener("input", event => { byID("version-name").textContent = event.target.value === event.target.max ? "newest" : `v${event.target.value}`; });
  onChange(apply);
  line.text = state().q;
  showSteps();
  await open();
  if (!result) await run();
  await showView();
  showObject();
  document.documentElement.dataset.ready = "true";
}

start().catch(error => line.showMistake(error, ""));

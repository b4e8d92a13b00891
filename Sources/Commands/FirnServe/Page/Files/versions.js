// The versions that are kept, and what changed between two of them.
import { askLines } from "./api.js";
import { element, grouped, shown } from "./dom.js";

const changesMaximum = 500;

/** Lists the versions; each can be shown, and compared with the one before or with the newest. */
export async function showVersions(section, { file, onShow }) {
  const versions = await askLines("/v1/versions", { file, limit: 200 });
  const result = element("div", { "aria-live": "polite" });
  const rows = versions.map(version => element("tr", {},
    element("td", {}, element("button", { class: "link", onclick: () => onShow(version.version) }, `v${version.version}`)),
    element("td", {}, version.time ?? ""),
    element("td", {}, (version.classes ?? []).map(one => `${shown(one.class, 40)} +${grouped(one.inserted)} ~${grouped(one.updated)} -${grouped(one.deleted)}`).join(", "),
      version.schema ? ` ${shown(version.schema.join("; "), 300)}` : ""),
    element("td", {}, shown(version.author ?? "", 60), " ", version.note ? element("q", {}, shown(version.note, 200)) : ""),
    element("td", {}, (version.freezes ?? []).map(freeze => shown(freeze, 60)).join(", ")),
    element("td", {}, version.version > 1
      ? element("button", { onclick: () => compare(result, file, version.version - 1, version.version) }, "Changes") : "",
    " ", element("button", { onclick: () => compare(result, file, version.version, "") }, "To newest"))));
  section.replaceChildren(element("table", { class: "log" },
    element("thead", {}, element("tr", {}, ["version", "time", "changes", "by", "freezes", "compare"].map(head => element("th", { scope: "col" }, head)))),
    element("tbody", {}, rows)), result);
  return versions;
}

async function compare(result, file, from, to) {
  result.replaceChildren(element("p", {}, "\u2026"));
  try {
    const records = await askLines("/v1/diff", { file, from, to });
    const changes = records.filter(record => record.op);
    result.replaceChildren(element("h2", {}, `v${from} \u2192 ${to ? `v${to}` : "newest"}: ${grouped(changes.length)} objects`),
      element("table", { class: "log" }, element("tbody", {}, changes.slice(0, changesMaximum).map(line))));
    if (changes.length > changesMaximum) result.append(element("p", {}, `and ${grouped(changes.length - changesMaximum)} more`));
  } catch (error) { result.replaceChildren(element("p", {}, shown(error.message))); }
}

/** Returns a change as a line of a table. */
export function line(record) {
  const kinds = { insert: "diff-new", delete: "diff-gone", update: "diff-changed" };
  const parts = record.op === "update"
    ? (record.changed ?? []).map(key => element("div", {}, `${shown(key, 60)}: `,
      element("span", { class: "old" }, shown(record.before?.[key], 80)), " \u2192 ", shown(record.object?.[key], 80)))
    : [shown(record.object ?? record.before ?? "", 300)];
  return element("tr", { class: kinds[record.op] }, element("td", {}, record.op),
    element("td", {}, `${shown(record.class ?? "", 40)} ${shown(record.id, 60)}`), element("td", {}, parts));
}

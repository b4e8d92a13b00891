// One object: its values, its links in both directions, and its history.
import { askLines, query } from "./api.js";
import { byID, element, shown } from "./dom.js";
import { literal, name } from "./language.js";

/** Returns the class that a property links to, or undefined. */
export function target(property, classes) {
  const inner = /^(?:List|Set|Map)<(.*)>$/.exec(property.type)?.[1] ?? property.type;
  return classes.find(known => known.name === inner.replace(/\?$/, ""));
}

/** Returns the condition that only this object meets. */
export function condition(known, row) {
  if (!known.key) return `@id == ${row["@id"]}`;
  const type = known.properties.find(property => property.name === known.key)?.type;
  return `${name(known.key)} == ${literal(row[known.key], type)}`;
}

export class ObjectPanel {
  /** @param hooks `file()`, `at()`, `classes()`, `onOpen(class, key)`, `onQuery(text)`, `onEdit(class, row, property)`, `onDelete(class, row)`, `isWritable()`, `onClose()` */
  constructor(hooks) {
    this.hooks = hooks;
    this.panel = byID("object");
    addEventListener("keydown", event => {
      const isElsewhere = byID("dialog").open || event.target.closest?.(".line");
      if (event.key === "Escape" && !this.panel.hidden && !isElsewhere) hooks.onClose();
    });
  }

  hide() { this.panel.hidden = true; }

  /** Shows the object of a class whose key, or number, is a text of the address. */
  async show(className, key) {
    const known = this.hooks.classes().find(known => known.name === className);
    if (!known) return this.hide();
    const type = known.key && known.properties.find(property => property.name === known.key)?.type;
    const isNumber = ["Int", "Double", "Bool", "Decimal128"].includes(type);
    const text = known.key ? `${name(known.key)} == ${isNumber ? key : literal(key, type)}` : `@id == ${key}`;
    const base = `${name(className)} ${text}`;
    const parameters = { file: this.hooks.file(), at: this.hooks.at() };
    let row;
    try {
      [row] = await query({ ...parameters, q: known.key ? base : `${base} | select(*, @id)`, limit: 1 });
    } catch (error) {
      return this.fill(known, [element("p", {}, shown(error.message))], key);
    }
    if (!row) return this.fill(known, [element("p", {}, "This version has no such object.")], key);
    this.fill(known, this.values(known, row), key, row);
    this.links(known, row, base, parameters);
    return this.history(known, row, parameters);
  }

  fill(known, children, key, row) {
    const buttons = [element("button", { onclick: () => this.hooks.onClose(), "aria-label": "Close the object" }, "\u00d7")];
    if (row && this.hooks.isWritable()) {
      buttons.unshift(element("button", { onclick: () => this.hooks.onDelete(known, row) }, "Delete"));
    }
    const head = element("header", {}, element("h2", { tabindex: -1 }, `${shown(known.name, 60)} ${shown(key, 60)}`), buttons);
    this.more = element("div");
    const hadFocus = this.panel.contains(document.activeElement);
    this.panel.replaceChildren(head, ...children, this.more);
    const takesFocus = this.panel.hidden || hadFocus;
    this.panel.hidden = false;
    if (takesFocus) head.querySelector("h2").focus();
  }

  values(known, row) {
    const classes = this.hooks.classes();
    const lines = known.properties.flatMap(property => {
      const linked = target(property, classes);
      const value = row[property.name];
      const shownValue = linked && !linked.embedded ? this.linkList(linked, value) : [shown(value, 20_000)];
      const isEditable = this.hooks.isWritable() && !linked && !property.type.includes("<") && property.name !== known.key;
      return [
        element("dt", { title: property.type }, shown(property.name, 80)),
        element("dd", { class: value === null ? "value faint" : "value", dir: "auto" }, shownValue, isEditable
          ? [" ", element("button", { class: "link", "aria-label": `Edit ${property.name}`, onclick: () => this.hooks.onEdit(known, row, property) }, "edit")]
          : null),
      ];
    });
    return [element("dl", {}, lines)];
  }

  linkList(linked, value) {
    if (value === null || value === undefined) return ["nil"];
    const items = Array.isArray(value) ? value.map(item => ["", item])
      : typeof value === "object" && !("$ref" in value) && !("$id" in value) ? Object.entries(value) : [["", value]];
    const links = items.slice(0, 200).map(([label, key]) => {
      const text = typeof key === "object" ? key?.id ?? key?.$id ?? key : key;
      return [label ? `${shown(label, 40)}: ` : "", element("button", {
        class: "link", onclick: () => this.hooks.onOpen(linked, text),
      }, shown(text, 60)), " "];
    });
    if (items.length > 200) links.push(`and ${items.length - 200} more`);
    return links.flat();
  }

  /** The objects that link to this one. */
  async links(known, row, base, parameters) {
    const more = this.more;
    for (const other of this.hooks.classes().filter(other => !other.embedded)) {
      for (const property of other.properties) {
        if (target(property, this.hooks.classes()) !== known || property.type.startsWith("Map")) continue;
        const some = property.type.includes("<") ? "ANY " : "";
        const inner = condition(known, row).replace(/^(`[^`]*`|[^ ]+)/, `${name(property.name)}.$1`);
        const q = `${name(other.name)} ${some}${inner}`;
        try {
          const [found] = await query({ ...parameters, q: `${q} | count` });
          if (this.more !== more) return;
          if (!found?.count) continue;
          more.append(element("p", {}, element("button", { class: "link", onclick: () => this.hooks.onQuery(q) },
            `${found.count} ${shown(other.name, 60)}`), ` by ${shown(property.name, 60)}`));
        } catch { /* a class that an older version does not have */ }
      }
    }
  }

  /** The versions that changed this object. */
  async history(known, row, parameters) {
    const more = this.more;
    const list = element("ul", { class: "history" });
    const show = element("button", { onclick: async () => {
      show.disabled = true;
      try {
        const versions = await askLines("/v1/versions", {
          file: parameters.file, class: known.name, object: String(row[known.key ?? "@id"]), limit: 100,
        });
        list.replaceChildren(...versions.map(version => this.change(version)));
        if (!versions.length) list.append(element("li", {}, "no change is kept"));
      } catch (error) { list.replaceChildren(element("li", {}, shown(error.message))); }
      more.append(list);
    } }, "History");
    more.append(show);
  }

  change(version) {
    const names = version.changed ?? [];
    const parts = names.map(key => element("div", {}, `${shown(key, 60)} `,
      element("span", { class: "old" }, shown(version.before?.[key], 80)), " \u2192 ", shown(version.after?.[key], 80)));
    const what = version.inserted ? "added" : version.deleted ? "deleted" : "";
    return element("li", {}, element("strong", {}, `v${version.version} `), `${version.time ?? ""} ${what} `,
      version.author ? `by ${shown(version.author, 60)} ` : "", version.note ? element("q", {}, shown(version.note, 200)) : "", parts);
  }
}

// The little that the page knows of the query language: how to take a text apart, and how to add to it.

/** Splits a query at the bars between its stages, outside of texts and parentheses. */
export function stages(text) {
  const parts = [];
  let part = "", quote = "", depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    const sign = text[index];
    if (quote) {
      if (sign === "\\" && quote !== "`") { part += sign; index += 1; part += text[index] ?? ""; continue; }
      if (sign === quote) quote = "";
    } else if (sign === "\"" || sign === "'" || sign === "`") {
      quote = sign;
    } else if ("([{".includes(sign)) {
      depth += 1;
    } else if (")]}".includes(sign)) {
      depth -= 1;
    } else if (sign === "|" && depth <= 0) {
      if (text[index + 1] === "|") { part += "||"; index += 1; continue; }
      parts.push(part.trim());
      part = "";
      continue;
    }
    part += sign;
  }
  parts.push(part.trim());
  return parts;
}

/** Joins stages; the inverse of `stages`. */
export function joined(parts) { return parts.filter(part => part).join(" | "); }

/** Returns a name as it is written in a query. */
export function name(text) {
  const isPlain = /^[\p{L}_][\p{L}\p{N}_]*$/u.test(text) && !/^(and|or|not|in|any|some|all|none|true|false|nil|null|where|sort|limit|skip|distinct|between|contains|like|matches|beginswith|endswith|geowithin|asc|desc|ascending|descending|by|as|yes|no|inf|nan)$/i.test(text);
  return isPlain ? text : "`" + text.replaceAll("`", "``") + "`";
}

/** Returns a value of a property as it is written in a query. */
export function literal(value, type = "") {
  if (value === null || value === undefined) return "nil";
  if (typeof value === "boolean" || typeof value === "bigint") return String(value);
  if (typeof value === "number") return String(value);
  if (typeof value === "object") return literal(value.$id ?? value.id ?? "");
  const base = type.replace(/\?$/, "");
  if (base === "Data") return `B64${JSON.stringify(value)}`;
  if (base === "Decimal128" && /^-?[\d.]+(e[+-]?\d+)?$/i.test(value)) return value;
  if (base === "Double") return value === "Infinity" ? "inf" : value === "-Infinity" ? "-inf" : "nan";
  return text(value);
}

/** Returns a text in quotes, with the escapes of the language. */
export function text(value) {
  return "\"" + value.replace(/["\\\u0000-\u001f\u007f]/g, sign =>
    sign === "\"" || sign === "\\" ? "\\" + sign : "\\u" + sign.charCodeAt(0).toString(16).padStart(4, "0")) + "\"";
}

/** Returns a query with one more condition. */
export function filtered(query, condition) { return joined([...stages(query), condition]); }

/** Returns a query in another order; a sort of its own at the end is replaced. */
export function sorted(query, column, isDescending) {
  const parts = stages(query);
  if (parts.length > 1 && /^SORT\([^()]*\)$/i.test(parts.at(-1))) parts.pop();
  return joined([...parts, `SORT(${name(column)}${isDescending ? " DESC" : ""})`]);
}

/** Returns the column by which a query is sorted last, and whether it descends. */
export function order(query) {
  const found = /SORT\(\s*(`(?:[^`]|``)+`|[\p{L}_][\p{L}\p{N}_]*)\s*(DESC|ASC)?[^()]*\)\s*$/iu.exec(query);
  if (!found) return null;
  const column = found[1].startsWith("`") ? found[1].slice(1, -1).replaceAll("``", "`") : found[1];
  return { column, isDescending: /^desc/i.test(found[2] ?? "") };
}

/** Returns the class at the beginning of a query, of the classes that there are. */
export function className(query, classes) {
  const word = /^\s*(`(?:[^`]|``)+`|[\p{L}_][\p{L}\p{N}_]*)/u.exec(query)?.[1] ?? "";
  const plain = word.startsWith("`") ? word.slice(1, -1).replaceAll("``", "`") : word;
  return classes.find(known => known.name === plain);
}

/** Whether nothing can follow the last stage of a query. */
export function isWhole(query) {
  return /^(hist|bar|spark)\(|^(count|exists|explain|first|last)$/i.test(stages(query).at(-1));
}

/** Whether the rows of a query are objects of its class, and not other values. */
export function hasObjects(query) {
  return !stages(query).some((part, index) =>
    /^(select|project|group|join|each|eachornil|pivot|unpivot|hist|bar|spark|count|exists|explain)\b/i.test(part)
      && (index > 0 || part.includes("(")));
}

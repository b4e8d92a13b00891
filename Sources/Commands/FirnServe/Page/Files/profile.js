// The columns of a result: nil and different values, extremes, and how the values are spread.
import { query } from "./api.js";
import { sparkBars } from "./chart.js";
import { element, grouped, shown } from "./dom.js";
import { joined, name } from "./language.js";

const scalars = ["Int", "Double", "Bool", "String", "Date", "Decimal128", "UUID", "ObjectId"];

/** Draws a card for each property of a class, for the objects of a query. */
export async function showProfile(section, { file, at, q, known, hooks, signal }) {
  const properties = known.properties.filter(property => scalars.includes(property.type));
  const cards = element("div", { class: "cards" });
  section.replaceChildren(cards);
  const card = property => {
    const body = element("div", { class: "faint" }, "\u2026");
    cards.append(element("article", { class: "card" }, element("h2", {}, `${shown(property.name, 60)} `,
      element("small", { class: "faint" }, property.type + (property.optional ? "?" : ""))), body));
    return body;
  };
  const bodies = properties.map(card);
  try {
    const sums = await aggregates(properties, { file, at, q }, signal);
    await Promise.all(properties.map((property, index) => fill(bodies[index], property, sums[index], { file, at, q, hooks, signal })));
  } catch (error) {
    if (error.name !== "AbortError") section.replaceChildren(element("p", {}, shown(error.message)));
  }
}

const hasOrder = property => !["Bool", "UUID", "ObjectId"].includes(property.type);

/** Returns the numbers of values, nil and different values, and the extremes, of all columns in one pass. */
async function aggregates(properties, { file, at, q }, signal) {
  if (!properties.length) return [];
  const items = properties.flatMap((property, index) => {
    const column = name(property.name);
    return [`k${index} = @count.${column}`, `d${index} = @distinct.${column}`,
      ...(hasOrder(property) ? [`low${index} = @min.${column}`, `high${index} = @max.${column}`] : [])];
  });
  const [row] = await query({ file, at, q: joined([q, `group(; n = @count, ${items.join(", ")})`]) }, signal);
  return properties.map((_, index) => ({
    n: row.n, k: row[`k${index}`], d: row[`d${index}`], low: row[`low${index}`] ?? null, high: row[`high${index}`] ?? null,
  }));
}

async function fill(body, property, sums, { file, at, q, hooks, signal }) {
  const column = name(property.name);
  try {
    const lines = [`${grouped(sums.d)} different`, sums.n > sums.k ? `${grouped(sums.n - sums.k)} nil` : "no nil"];
    const parts = [element("p", {}, lines.join(" \u00b7 "))];
    if (sums.low !== null) parts.push(element("p", { class: "faint" }, `${shown(sums.low, 40)} \u2026 ${shown(sums.high, 40)}`));
    const isSpread = ["Int", "Double", "Decimal128", "Date"].includes(property.type) && sums.d > 12;
    parts.push(isSpread ? await spread(column, { file, at, q }, signal) : await most(property, column, { file, at, q, hooks }, signal));
    body.classList.remove("faint");
    body.replaceChildren(...parts.filter(Boolean));
  } catch (error) {
    if (error.name !== "AbortError") body.replaceChildren(shown(error.message));
  }
}

async function spread(column, { file, at, q }, signal) {
  const rows = await query({ file, at, q: joined([q, `hist(${column}, 20)`]) }, signal);
  if (!rows.length) return null;
  return sparkBars(rows.map(row => row.count), rows.map(row => `${shown(row.from, 30)} \u2026 ${shown(row.to, 30)}: ${grouped(row.count)}`));
}

async function most(property, column, { file, at, q, hooks }, signal) {
  const rows = await query({ file, at, q: joined([q, `group(value = ${column}; n = @count)`, "SORT(n DESC) LIMIT(6)"]) }, signal);
  return element("table", {}, rows.map(row => element("tr", {},
    element("td", {}, element("button", {
      class: "link", onclick: () => hooks.onFilter(property, row.value),
    }, shown(row.value, 30))), element("td", { class: "number" }, grouped(row.n)))));
}


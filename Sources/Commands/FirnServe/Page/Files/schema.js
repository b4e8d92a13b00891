// The classes and their links as a drawing, and the sizes of what is stored.
import { ask } from "./api.js";
import { element, grouped, shown, svg } from "./dom.js";
import { target } from "./object.js";

const [boxWidth, gap, lineHeight] = [210, 70, 17];

export async function showSchema(section, { file, at, classes, onClass }) {
  section.replaceChildren(drawing(classes, onClass));
  try {
    const stats = await ask("/v1/stats", { file, at });
    section.append(sizes(stats));
  } catch (error) { section.append(element("p", {}, shown(error.message))); }
}

function drawing(classes, onClass) {
  const columns = Math.max(1, Math.min(4, Math.ceil(Math.sqrt(classes.length))));
  const places = new Map();
  const heights = new Array(columns).fill(10);
  for (const known of classes) {
    const column = heights.indexOf(Math.min(...heights));
    const height = 30 + Math.min(known.properties.length, 14) * lineHeight;
    places.set(known, { x: 10 + column * (boxWidth + gap), y: heights[column], height });
    heights[column] += height + 30;
  }
  const edges = [], boxes = [];
  for (const known of classes) {
    const { x, y, height } = places.get(known);
    // The key and the links come first: they are what the drawing is about.
    const rank = property => property.name === known.key ? 0 : target(property, classes) ? 1 : 2;
    const ordered = [...known.properties].sort((a, b) => rank(a) - rank(b));
    const properties = ordered.slice(0, ordered.length > 14 ? 13 : 14);
    const lines = properties.map((property, index) => {
      const linked = target(property, classes);
      if (linked) edges.push(edge({ x: x + boxWidth, y: y + 37 + index * lineHeight }, places.get(linked)));
      return svg("text", { x: x + 8, y: y + 40 + index * lineHeight },
        `${property.name === known.key ? "\u25cf " : ""}${shown(property.name, 18)}: ${shown(property.type, 18)}${property.optional ? "?" : ""}`);
    });
    if (properties.length < known.properties.length) {
      lines.push(svg("text", { x: x + 8, y: y + 40 + 13 * lineHeight }, `and ${known.properties.length - 13} more`));
    }
    boxes.push(svg("g", { role: "button", tabindex: 0, "aria-label": `class ${known.name}`, onclick: () => onClass(known),
      onkeydown: event => { if (event.key === "Enter") onClass(known); } },
    svg("rect", { class: "box", x, y, width: boxWidth, height, rx: 6 }),
    svg("text", { class: "title", x: x + 8, y: y + 20 }, shown(known.name, 24) + (known.embedded ? " (embedded)" : "")), lines));
  }
  const size = [columns * (boxWidth + gap) + 10, Math.max(...heights) + 10];
  return svg("svg", { viewBox: `0 0 ${size[0]} ${size[1]}`, width: size[0], height: size[1], role: "group", "aria-label": "Classes and links" }, edges, boxes);
}

function edge(from, to) {
  const end = { x: to.x, y: to.y + 15 };
  const bend = from.x + gap / 2;
  return svg("path", { class: "edge", d: `M${from.x} ${from.y} C${bend} ${from.y} ${end.x - gap / 2} ${end.y} ${end.x} ${end.y}` });
}

function bytes(count) {
  const units = ["B", "kB", "MB", "GB"];
  let size = count, unit = 0;
  while (size >= 1000 && unit < 3) { size /= 1000; unit += 1; }
  return `${unit ? size.toFixed(1) : size} ${units[unit]}`;
}

function sizes(stats) {
  const rows = (stats.classes ?? []).flatMap(known => (known.properties ?? known.columns ?? []).map(property => element("tr", {},
    element("td", {}, `${shown(known.name ?? known.class, 40)}.${shown(property.name, 40)}`), element("td", {}, shown(property.type, 30)),
    element("td", { class: "number" }, bytes(property.raw ?? 0)), element("td", { class: "number" }, bytes(property.stored ?? 0)),
    element("td", {}, Object.entries(property.pages ?? {}).map(([kind, count]) => `${kind} ${grouped(count)}`).join(", ")))));
  return element("table", { class: "log" }, element("caption", {}, "Sizes and encodings"),
    element("thead", {}, element("tr", {}, ["property", "type", "values", "stored", "encoding"].map(head => element("th", { scope: "col" }, head)))),
    element("tbody", {}, rows));
}

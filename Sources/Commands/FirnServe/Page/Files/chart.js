// Charts of the rows of a query, drawn as SVG.
import { element, shown, svg, grouped } from "./dom.js";

const [width, height, left, bottom, top] = [900, 420, 70, 60, 14];
const rowsMaximum = 2000;

function isNumber(value) { return typeof value === "number" || typeof value === "bigint"; }

function isTime(value) { return typeof value === "string" && /^\d{4}-\d\d-\d\d([T ]|$)/.test(value) && !Number.isNaN(Date.parse(value)); }

/** Returns what a column consists of: number, time or text. */
function kind(rows, column) {
  const values = rows.map(row => row[column]).filter(value => value !== null && value !== undefined);
  if (!values.length) return "none";
  if (values.every(isNumber)) return "number";
  return values.every(isTime) ? "time" : "text";
}

/** Chooses the form of a chart by the columns of the rows. */
export function form(rows) {
  const columns = Object.keys(rows[0] ?? {});
  const kinds = Object.fromEntries(columns.map(column => [column, kind(rows, column)]));
  const numbers = columns.filter(column => kinds[column] === "number");
  const isHistogram = columns.includes("from") && columns.includes("to") && columns.includes("count");
  if (isHistogram) return { type: "bars", x: "from", y: "count" };
  const time = columns.find(column => kinds[column] === "time");
  if (time && numbers.length) return { type: "lines", x: time, y: numbers[0] };
  const text = columns.find(column => kinds[column] === "text");
  if (text && numbers.length) return { type: "bars", x: text, y: numbers.at(-1) };
  if (numbers.length >= 2) {
    const distinct = new Set(rows.map(row => row[numbers[0]])).size;
    const isKey = distinct === rows.length && rows.length <= 60;
    return { type: isKey ? "bars" : "scatter", x: numbers[0], y: numbers.at(-1) };
  }
  return null;
}

/** Returns round marks for an axis. */
export function ticks(low, high, count = 5) {
  if (!(high > low)) return [low];
  const raw = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map(factor => factor * power).find(size => size >= raw);
  const marks = [];
  for (let mark = Math.ceil(low / step) * step; mark <= high + step * 1e-9; mark += step) marks.push(Number(mark.toPrecision(12)));
  return marks;
}

function short(value) {
  const size = Math.abs(value);
  if (size >= 1e9) return `${Number((value / 1e9).toPrecision(3))}G`;
  if (size >= 1e6) return `${Number((value / 1e6).toPrecision(3))}M`;
  if (size >= 1e4) return `${Number((value / 1e3).toPrecision(3))}k`;
  return String(Number(value.toPrecision(4)));
}

/** Returns a chart; the rows also follow as a table for those who do not see it. */
export function drawn(rows, chosen) {
  const data = rows.slice(0, rowsMaximum);
  const plan = chosen ?? form(data);
  if (!plan) return null;
  const value = row => Number(row[plan.y] ?? 0);
  const place = row => plan.type === "lines" ? Date.parse(row[plan.x]) : Number(row[plan.x]);
  const lows = [0, ...data.map(value)];
  let [low, high] = [Math.min(...lows), Math.max(...lows)];
  if (plan.type === "scatter" || plan.type === "lines") low = Math.min(...data.map(value));
  if (low === high) high = low + 1;
  const y = number => top + (high - number) / (high - low) * (height - top - bottom);
  const parts = ticks(low, high).map(mark => [
    svg("line", { class: "axis", x1: left, x2: width, y1: y(mark), y2: y(mark) }),
    svg("text", { x: left - 8, y: y(mark) + 4, "text-anchor": "end" }, short(mark)),
  ]);
  if (plan.type === "bars") {
    const step = (width - left) / data.length;
    const every = Math.ceil(data.length / 14);
    data.forEach((row, index) => {
      const x = left + index * step;
      const [from, to] = [y(Math.max(0, value(row))), y(Math.min(0, value(row)))];
      parts.push(svg("rect", { class: "mark", x: x + step * 0.1, y: from, width: Math.max(1, step * 0.8), height: Math.max(0, to - from) },
        svg("title", {}, `${shown(row[plan.x], 80)}: ${grouped(value(row))}`)));
      if (index % every === 0) {
        parts.push(svg("text", { x: x + step / 2, y: height - bottom + 16, "text-anchor": "middle" }, shown(row[plan.x], 12)));
      }
    });
  } else {
    const places = data.map(place).filter(Number.isFinite);
    let [start, end] = [Math.min(...places), Math.max(...places)];
    if (start === end) end = start + 1;
    const x = number => left + 8 + (number - start) / (end - start) * (width - left - 16);
    for (const mark of ticks(start, end, 7)) {
      const label = plan.type === "lines" ? new Date(mark).toISOString().slice(0, 10) : short(mark);
      parts.push(svg("text", { x: x(mark), y: height - bottom + 16, "text-anchor": "middle" }, label));
    }
    const points = data.filter(row => Number.isFinite(place(row)) && row[plan.y] !== null);
    if (plan.type === "lines") {
      const ordered = [...points].sort((a, b) => place(a) - place(b));
      parts.push(svg("path", { class: "stroke", d: ordered.map((row, index) => `${index ? "L" : "M"}${x(place(row)).toFixed(1)} ${y(value(row)).toFixed(1)}`).join("") }));
    }
    for (const row of points) {
      parts.push(svg("circle", { class: "mark", cx: x(place(row)), cy: y(value(row)), r: plan.type === "lines" ? 2.5 : 3 },
        svg("title", {}, `${shown(row[plan.x], 80)}: ${grouped(value(row))}`)));
    }
  }
  parts.push(svg("text", { class: "title", x: left, y: height - 12 }, `${shown(plan.y, 60)} by ${shown(plan.x, 60)}`));
  return svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `${plan.y} by ${plan.x}, ${data.length} values` }, parts);
}

/** Returns a small chart without axes, of numbers. */
export function sparkBars(numbers, titles) {
  const most = Math.max(1, ...numbers);
  const step = 220 / numbers.length;
  return svg("svg", { viewBox: "0 0 220 42", role: "img", "aria-label": "distribution" }, numbers.map((number, index) =>
    svg("rect", { class: "mark", x: index * step, y: 40 - number / most * 38, width: Math.max(1, step - 1), height: number / most * 38 },
      svg("title", {}, titles[index]))));
}

/** Saves a drawing as a file: SVG, or PNG. */
export async function save(drawing, type) {
  const copy = drawing.cloneNode(true);
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", width);
  copy.setAttribute("height", height);
  // A file does not have the style sheet of the page.
  copy.prepend(svg("rect", { width: "100%", height: "100%", fill: "white" }));
  for (const mark of copy.querySelectorAll(".mark")) mark.setAttribute("fill", "#0b5cad");
  for (const line of copy.querySelectorAll(".stroke")) { line.setAttribute("stroke", "#0b5cad"); line.setAttribute("fill", "none"); line.setAttribute("stroke-width", 2); }
  for (const line of copy.querySelectorAll(".axis")) line.setAttribute("stroke", "#d4dae0");
  for (const text of copy.querySelectorAll("text")) { text.setAttribute("font-family", "sans-serif"); text.setAttribute("font-size", 12); text.setAttribute("fill", "#1a1f24"); }
  const source = new Blob([new XMLSerializer().serializeToString(copy)], { type: "image/svg+xml" });
  if (type === "svg") return download(source, "chart.svg");
  const image = new Image();
  const url = URL.createObjectURL(source);
  await new Promise((done, failed) => { image.onload = done; image.onerror = failed; image.src = url; });
  const canvas = element("canvas", { width: width * 2, height: height * 2 });
  canvas.getContext("2d").drawImage(image, 0, 0, width * 2, height * 2);
  URL.revokeObjectURL(url);
  return canvas.toBlob(blob => download(blob, "chart.png"), "image/png");
}

export function download(blob, name) {
  const link = element("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

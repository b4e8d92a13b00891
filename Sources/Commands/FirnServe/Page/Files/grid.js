// A table that scrolls over any number of rows: only those on screen exist.
import { element, shown, perFrame } from "./dom.js";

const pageSize = 200;
const pagesKept = 40;
/** The height in pixels above which browsers round: the scroll bar is then a scale. */
const heightMaximum = 8_000_000;

export class Grid {
  /**
   * @param section where the grid is drawn
   * @param hooks `fetch(skip, limit)`, `onSort(column)`, `onPick(row)`, `onFilter(column, value)`, `onEdit(row, column, cell)`
   */
  constructor(section, hooks) {
    this.hooks = hooks;
    this.table = element("table", { role: "grid", "aria-label": "Rows" });
    this.space = element("div", { class: "grid-space" });
    this.scroller = element("div", { class: "grid-scroll", tabindex: -1 }, this.table, this.space);
    section.replaceChildren(this.scroller);
    this.first = 0;
    this.active = { row: 0, column: 0 };
    this.marks = new Map();
    this.clear();
    this.redraw = perFrame(() => this.draw());
    this.scroller.addEventListener("scroll", () => this.scrolled());
    this.scroller.addEventListener("wheel", event => this.wheeled(event), { passive: false });
    this.table.addEventListener("keydown", event => this.pressed(event));
    this.table.addEventListener("click", event => this.clicked(event));
    new ResizeObserver(() => this.redraw()).observe(this.scroller);
  }

  clear() {
    this.former = null;
    this.pages = new Map();
    this.generation = (this.generation ?? 0) + 1;
    this.count = 0;
    this.columns = [];
  }

  /** Shows a result: its columns (name, type), the number of its rows and the name of its key. */
  show({ columns, count, key, order, first = 0 }) {
    this.clear();
    Object.assign(this, { columns, count, key, order, first: Math.min(first, Math.max(0, count - 1)) });
    this.active = { row: this.first, column: 0 };
    this.size();
    this.place();
    this.redraw();
  }

  /**
   * Shows what has changed; rows of these keys are marked: `{ isNew, names, object }`.
   *
   * Rows that stay where they are get their new values at once; otherwise the rows on screen are read again.
   */
  refresh(count, marks, isInPlace = false) {
    if (isInPlace) this.replace(marks);
    else this.forget();
    this.count = count;
    this.marks = marks;
    this.size();
    this.redraw();
    clearTimeout(this.fading);
    this.fading = setTimeout(() => { this.marks = new Map(); this.redraw(); }, 1500);
  }

  /** Lets the rows be read again; what is on screen stays until they are here. */
  forget() {
    this.former = this.pages;
    this.pages = new Map();
    this.generation += 1;
  }

  replace(marks) {
    for (const page of this.pages.values()) {
      page.rows?.forEach((row, index) => {
        const object = marks.get(JSON.stringify(String(row[this.key])))?.object;
        if (object) page.rows[index] = { ...object, [this.key]: row[this.key] };
      });
    }
  }

  get rowHeight() { return parseFloat(getComputedStyle(document.documentElement).getPropertyValue("--row")) || 28; }

  get visible() { return Math.max(1, Math.floor(this.scroller.clientHeight / this.rowHeight) - 1); }

  get isScaled() { return (this.count + 1) * this.rowHeight > heightMaximum; }

  get last() { return Math.max(0, this.count - this.visible); }

  size() {
    const height = this.isScaled ? heightMaximum : this.last * this.rowHeight + this.scroller.clientHeight;
    this.space.style.height = `${Math.max(0, height - this.table.offsetHeight)}px`;
  }

  /** Moves the scroll bar to the first row. */
  place() {
    const range = this.scroller.scrollHeight - this.scroller.clientHeight;
    const top = this.isScaled ? (this.last ? this.first / this.last * range : 0) : this.first * this.rowHeight;
    this.expected = Math.round(top);
    this.scroller.scrollTop = top;
  }

  scrolled() {
    const top = this.scroller.scrollTop;
    if (this.isScaled) {
      if (Math.abs(top - (this.expected ?? -9)) <= 1) return this.redraw();
      const range = this.scroller.scrollHeight - this.scroller.clientHeight;
      this.first = Math.round(range ? top / range * this.last : 0);
    } else {
      this.first = Math.min(this.last, Math.floor(top / this.rowHeight));
    }
    this.expected = undefined;
    this.redraw();
  }

  /** On a scale, a notch of the wheel would jump over thousands of rows. */
  wheeled(event) {
    if (!this.isScaled || event.deltaX || event.ctrlKey) return;
    event.preventDefault();
    const step = event.deltaMode === 1 ? event.deltaY : event.deltaY / this.rowHeight;
    this.scrollTo(this.first + (Math.round(step) || Math.sign(step)));
  }

  scrollTo(row) {
    this.first = Math.max(0, Math.min(this.last, row));
    this.place();
    this.redraw();
  }

  // Rows

  row(index) {
    const page = Math.floor(index / pageSize);
    return (this.pages.get(page)?.rows ?? this.former?.get(page)?.rows)?.[index % pageSize];
  }

  /** Fetches the pages of the rows on screen. */
  fetch(from, to) {
    for (let page = Math.floor(from / pageSize); page <= Math.floor(to / pageSize); page += 1) {
      if (this.pages.has(page)) continue;
      const entry = {};
      this.pages.set(page, entry);
      const generation = this.generation;
      this.hooks.fetch(page * pageSize, pageSize).then(rows => {
        if (generation !== this.generation) return;
        entry.rows = rows;
        this.draw();
      }, error => {
        if (generation !== this.generation) return;
        this.pages.delete(page);
        this.hooks.onError?.(error);
      });
    }
    for (const page of this.pages.keys()) {
      if (this.pages.size <= pagesKept) break;
      if (page < Math.floor(from / pageSize) || page > Math.floor(to / pageSize)) this.pages.delete(page);
    }
  }

  // Drawing

  draw() {
    if (!this.columns.length) {
      this.table.replaceChildren();
      return;
    }
    const last = Math.min(this.count, this.first + this.visible + 1);
    if (this.count) this.fetch(this.first, Math.max(this.first, last - 1));
    const hadFocus = this.table.contains(document.activeElement) && document.activeElement.matches("td, th");
    const body = [];
    for (let index = this.first; index < last; index += 1) body.push(this.line(index));
    this.table.setAttribute("aria-rowcount", this.count + 1);
    this.table.replaceChildren(element("thead", {}, this.head()), element("tbody", {}, body));
    this.size();
    if (hadFocus) this.focus();
  }

  head() {
    const heads = this.columns.map(column => {
      const isOrder = this.order?.column === column.name;
      const arrow = isOrder ? (this.order.isDescending ? " \u2193" : " \u2191") : "";
      return element("th", {
        scope: "col", class: column.isNumber ? "number" : null,
        "aria-sort": isOrder ? (this.order.isDescending ? "descending" : "ascending") : null,
      }, element("button", {
        "data-sort": column.name, title: `${column.name} ${column.type ?? ""}: sort`,
      }, shown(column.name, 60) + arrow));
    });
    return element("tr", { "aria-rowindex": 1 },
      element("th", { scope: "col" }, element("span", { class: "faint" }, "\u00a0#")), heads);
  }

  line(index) {
    const row = this.row(index);
    const mark = row && this.key !== undefined ? this.marks.get(JSON.stringify(String(row[this.key]))) : undefined;
    const cells = this.columns.map((column, number) => {
      const value = row?.[column.name];
      const kind = [
        column.isNumber ? "number" : "", row && (value === null || value === undefined) ? "nil" : "",
        mark?.names?.has(column.name) ? "changed" : "",
      ].filter(Boolean).join(" ");
      return element("td", {
        role: "gridcell", class: kind || null, "data-row": index, "data-column": number,
        tabindex: this.isActive(index, number + 1) ? 0 : -1,
        title: row && String(value ?? "").length > 30 ? shown(value, 1000) : null,
      }, row ? shown(value) : "\u2026");
    });
    return element("tr", {
      role: "row", "aria-rowindex": index + 2,
      class: [mark?.isNew ? "new" : "", mark?.names ? "changed" : ""].filter(Boolean).join(" ") || null,
    }, element("td", {
      role: "rowheader", class: "number faint", "data-row": index, "data-column": -1,
      tabindex: this.isActive(index, 0) ? 0 : -1, title: "show the object",
    }, (index + 1).toLocaleString("en-US")), cells);
  }

  isActive(row, column) { return this.active.row === row && this.active.column === column; }

  // Keyboard and mouse

  focus() {
    const { row, column } = this.active;
    this.table.querySelector(`td[data-row="${row}"][data-column="${column - 1}"]`)?.focus({ preventScroll: true });
  }

  move(rows, columns) {
    this.active = {
      row: Math.max(0, Math.min(this.count - 1, this.active.row + rows)),
      column: Math.max(0, Math.min(this.columns.length, this.active.column + columns)),
    };
    const { row } = this.active;
    if (row < this.first || row >= this.first + this.visible) {
      this.scrollTo(row < this.first ? row : row - this.visible + 1);
    }
    this.draw();
    this.focus();
  }

  pressed(event) {
    const cell = event.target.closest?.("td");
    if (!cell || event.target !== cell) return;
    const page = this.visible;
    const moves = {
      ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1],
      PageDown: [page, 0], PageUp: [-page, 0], Home: [0, -1e9], End: [0, 1e9],
    };
    const { row, column } = this.active;
    if (event.ctrlKey && event.key === "Home") this.move(-1e12, 0);
    else if (event.ctrlKey && event.key === "End") this.move(1e12, 0);
    else if (moves[event.key] && !event.altKey && !event.metaKey) this.move(...moves[event.key]);
    else if (event.key === "Enter") this.choose(row, column - 1);
    else if (event.key === "F2" && column > 0) this.hooks.onEdit?.(this.row(row), this.columns[column - 1], cell);
    else return;
    event.preventDefault();
  }

  clicked(event) {
    const sort = event.target.closest("[data-sort]");
    if (sort) return this.hooks.onSort(sort.dataset.sort);
    const cell = event.target.closest("td");
    if (!cell || event.target.closest("input, select")) return;
    const [row, column] = [Number(cell.dataset.row), Number(cell.dataset.column)];
    this.active = { row, column: column + 1 };
    if (getSelection().toString()) return;
    this.choose(row, column);
  }

  choose(index, column) {
    const row = this.row(index);
    if (!row) return;
    if (column < 0) this.hooks.onPick(row);
    else this.hooks.onFilter(this.columns[column], row[this.columns[column].name]);
  }
}

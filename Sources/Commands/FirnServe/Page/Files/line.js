// The query line: completions of the shell, and its errors at their place.
import { ask } from "./api.js";
import { byID, element, shown } from "./dom.js";

export class QueryLine {
  /** @param hooks `file()`, `onRun(text)` */
  constructor(hooks) {
    this.hooks = hooks;
    this.input = byID("text");
    this.list = byID("words");
    this.mistake = byID("mistake");
    this.found = [];
    this.chosen = -1;
    byID("query").addEventListener("submit", event => {
      event.preventDefault();
      this.close();
      hooks.onRun(this.input.value);
    });
    this.input.addEventListener("input", () => this.complete());
    this.input.addEventListener("keydown", event => this.pressed(event));
    // The focus may come back at once.
    this.input.addEventListener("blur", () => setTimeout(() => { if (document.activeElement !== this.input) this.close(); }, 150));
    this.list.addEventListener("mousedown", event => {
      const item = event.target.closest("li");
      if (item) { event.preventDefault(); this.take(Number(item.dataset.index)); }
    });
  }

  set text(text) { if (this.input.value !== text) this.input.value = text; }

  async complete() {
    this.asking?.abort();
    this.asking = new AbortController();
    const before = this.input.value.slice(0, this.input.selectionStart);
    try {
      const found = await ask("/v1/complete", { file: this.hooks.file(), q: before || " " }, this.asking.signal);
      // The server counts bytes of UTF-8.
      const bytes = new TextEncoder().encode(before).slice(0, found.start);
      this.start = new TextDecoder().decode(bytes).length;
      this.end = before.length;
      this.offer(before ? found.candidates.slice(0, 60) : found.candidates.slice(0, 20));
    } catch { this.close(); }
  }

  offer(candidates) {
    this.found = candidates;
    this.chosen = -1;
    this.list.replaceChildren(...candidates.map((candidate, index) => element("li", {
      role: "option", id: `word-${index}`, "data-index": index, "aria-selected": "false",
    }, element("span", {}, shown(candidate.shown ?? candidate.text, 60)),
    candidate.note ? element("small", {}, shown(candidate.note, 40)) : null)));
    const isOpen = candidates.length > 0 && document.activeElement === this.input;
    this.list.hidden = !isOpen;
    this.input.setAttribute("aria-expanded", isOpen);
    this.input.removeAttribute("aria-activedescendant");
  }

  close() { this.offer([]); }

  select(index) {
    this.chosen = (index + this.found.length) % this.found.length;
    for (const [number, item] of [...this.list.children].entries()) {
      item.setAttribute("aria-selected", number === this.chosen);
      if (number === this.chosen) item.scrollIntoView({ block: "nearest" });
    }
    this.input.setAttribute("aria-activedescendant", `word-${this.chosen}`);
  }

  take(index) {
    const candidate = this.found[index];
    const value = this.input.value;
    const rest = value.slice(this.end);
    const added = candidate.text + (this.found.length === 1 || !rest ? candidate.append ?? "" : "");
    this.input.value = value.slice(0, this.start) + added + rest;
    const cursor = this.start + added.length;
    this.input.focus();
    this.input.setSelectionRange(cursor, cursor);
    this.complete();
  }

  pressed(event) {
    if (event.key === " " && event.ctrlKey) { event.preventDefault(); return this.complete(); }
    if (this.list.hidden) return undefined;
    if (event.key === "ArrowDown") this.select(this.chosen + 1);
    else if (event.key === "ArrowUp") this.select(this.chosen < 0 ? this.found.length - 1 : this.chosen - 1);
    else if (event.key === "Tab" && !event.shiftKey) this.take(Math.max(0, this.chosen));
    else if (event.key === "Enter" && this.chosen >= 0) this.take(this.chosen);
    else if (event.key === "Escape") this.close();
    else return undefined;
    return event.preventDefault();
  }

  /** Shows an error below the line, with its place; a click takes the suggestion. */
  showMistake(error, text) {
    const document = error.document ?? { title: error.message };
    const parts = [element("strong", {}, shown(document.title, 500))];
    const at = document.at;
    if (at?.column && at.line === 1) {
      const marks = " ".repeat(at.column - 1) + "^".repeat(Math.max(1, at.length ?? 1));
      parts.push(element("pre", {}, `${shown(text, 4000)}\n${marks} ${document.hint ?? ""}`));
      this.input.setAttribute("aria-invalid", "true");
    } else if (document.detail) {
      parts.push(element("pre", {}, shown(document.detail, 2000).replaceAll("\u21b5", "\n")));
    }
    if (!at?.column && document.remedy) parts.push(element("p", {}, shown(document.remedy, 500)));
    for (const word of at?.column ? document.suggest ?? [] : []) {
      parts.push(element("button", {
        onclick: () => {
          const signs = [...text];
          signs.splice(at.column - 1, at.length ?? 1, word);
          this.input.value = signs.join("");
          this.hooks.onRun(this.input.value);
        },
      }, `use ${shown(word, 60)}`), " ");
    }
    this.mistake.replaceChildren(...parts);
    this.mistake.hidden = false;
  }

  hideMistake() {
    this.mistake.hidden = true;
    this.input.removeAttribute("aria-invalid");
  }
}

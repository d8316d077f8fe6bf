// The panel: overlays and their legend, the list of topics, the search.

const MOST_LISTED = 500;
const MOST_FOUND = 40;

function fillPanel(page) {
  const { topics } = page.data;
  if (!page.chosen.topics) $("views").hidden = true;
  $("listed").hidden = !topics.length;
  for (const [k, topic] of topics.entries()) {
    if (k >= MOST_LISTED) break;
    if (!topic.papers) continue;
    const [item, button] = [element("li"), element("button", topic.label)];
    button.type = "button";
    button.append(element("span", number(topic.size)));
    button.onclick = () => page.reach(["topics", k]);
    item.append(button);
    $("topics").append(item);
  }
  if (isNarrow()) $("folded").open = false;
}

function isNarrow() {
  return innerWidth <= 704;
}

function fillOverlays(page) {
  const own = page.data.overlays.filter((one) => one.of === page.view);
  $("overlay").replaceChildren(
    ...own.map((one) => {
      const option = element("option", one.title);
      Object.assign(option, { value: one.name, selected: one.name === page.chosen[page.view] });
      return option;
    }),
  );
  fillLegend(page);
}

function fillLegend(page) {
  const { overlay, data } = page;
  const named = overlay.categories.filter(([name]) => name);
  if (!overlay.categories.length) return fillStrip(page);
  if (!named.length) {
    return $("legend").replaceChildren(element("p", "A colour tells a topic from those beside it."));
  }
  const rows = overlay.missing ? [...named, [overlay.nothing, null]] : named;
  $("legend").replaceChildren(nameColours(page, rows));
}

// Names beside their colours; null is for missing values, a ring on maps of circles.
function nameColours(page, rows) {
  const names = element("ul");
  for (const [name, colour] of rows) {
    const [item, dot] = [element("li"), element("i")];
    if (colour === null && page.view === "topics") dot.className = "hollow";
    else dot.style.background = colour ?? page.nothing;
    item.append(dot, element("span", name));
    names.append(item);
  }
  return names;
}

function fillStrip(page) {
  const { overlay } = page;
  const strip = element("canvas");
  const ramp = page.ramp(overlay);
  [strip.width, strip.height] = [ramp.length, 1];
  const context = strip.getContext("2d");
  ramp.forEach((colour, k) => {
    context.fillStyle = colour;
    context.fillRect(k, 0, 1, 1);
  });
  const ticks = element("div");
  ticks.className = "ticks";
  for (const [share, text] of overlay.ticks) {
    const tick = element("span", text);
    tick.style.left = `${100 * share}%`;
    tick.style.transform = `translateX(${-100 * share}%)`;
    ticks.append(tick);
  }
  const missing = overlay.missing ? [nameColours(page, [[overlay.nothing, null]])] : [];
  $("legend").replaceChildren(element("p", overlay.unit), strip, ticks, ...missing);
}

// Topics, then papers by descending value, whose label or title contains all words.
class Search {
  constructor(page) {
    this.page = page;
    this.found = [];
    this.at = -1;
    $("query").addEventListener("input", () => {
      clearTimeout(this.waiting);
      this.waiting = setTimeout(() => this.run(), 120);
    });
    $("query").addEventListener("keydown", (event) => this.press(event));
  }

  run() {
    const { data } = this.page;
    const words = fold($("query").value).split(/\s+/).filter(Boolean);
    this.texts ??= { topics: data.topics.map((one) => fold(one.label)), papers: data.titles.map(fold) };
    const all = (text) => words.every((word) => text.includes(word));
    this.found = [];
    if (words.length) {
      this.texts.topics.forEach((text, k) => all(text) && data.topics[k].papers && this.found.push(["topics", k]));
      for (let k = this.texts.papers.length - 1; k >= 0; k--) {
        if (all(this.texts.papers[k])) this.found.push(["papers", k]);
      }
    }
    this.page.matches = this.found;
    this.at = -1;
    this.list(words.length > 0);
    this.page.ask();
  }

  list(asked) {
    const rows = this.found.slice(0, MOST_FOUND).map((what, k) => {
      const [name, told] = tell(this.page.data, what);
      const row = element("li", shorten(name, 110));
      Object.assign(row, { id: `found-${k}`, dir: "auto" });
      row.setAttribute("role", "option");
      row.append(element("span", (what[0] === "topics" ? "topic \u00b7 " : "") + told));
      row.onclick = () => this.page.reach(what);
      return row;
    });
    const more = this.found.length > MOST_FOUND || !this.found.length;
    if (asked && more) rows.push(this.note());
    $("found").replaceChildren(...rows);
    $("found").hidden = !asked;
    $("query").setAttribute("aria-expanded", String(asked));
    if (asked) $("said").textContent = `${number(this.found.length)} found`;
    this.mark();
  }

  note() {
    const row = element("li", this.found.length ? `${number(this.found.length)} found in all` : "nothing found");
    row.className = "none";
    return row;
  }

  mark() {
    [...$("found").children].forEach((row, k) => row.setAttribute("aria-selected", String(k === this.at)));
    const marked = $(`found-${this.at}`);
    $("query").setAttribute("aria-activedescendant", marked ? marked.id : "");
    marked?.scrollIntoView({ block: "nearest" });
  }

  press(event) {
    const last = Math.min(this.found.length, MOST_FOUND) - 1;
    if (event.key === "ArrowDown") this.at = Math.min(this.at + 1, last);
    else if (event.key === "ArrowUp") this.at = Math.max(this.at - 1, 0);
    else if (event.key === "Enter" && last >= 0) return this.page.reach(this.found[Math.max(this.at, 0)]);
    else if (event.key === "Escape") return this.clear();
    else return;
    event.preventDefault();
    this.mark();
  }

  clear() {
    $("query").value = "";
    this.run();
  }
}

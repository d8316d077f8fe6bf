// The panel: overlays and their legend, the list of topics, the search.

const MAX_TOPICS = 500;
const MAX_RESULTS = 40;

function fillPanel(page) {
  const { topics } = page.data;
  if (!page.chosen.topics) $("views").hidden = true;
  $("listed").hidden = !topics.length;
  for (const [k, topic] of topics.entries()) {
    if (k >= MAX_TOPICS) break;
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
  const own = page.data.overlays.filter((overlay) => overlay.of === page.view);
  $("overlay").replaceChildren(
    ...own.map(({ name, title }) => {
      const option = element("option", title);
      Object.assign(option, { value: name, selected: name === page.chosen[page.view] });
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
    return $("legend").replaceChildren(element("p", "Colours distinguish a topic from its neighbours."));
  }
  const rows = overlay.missing ? [...named, [overlay.nothing, null]] : named;
  $("legend").replaceChildren(nameColours(page, rows));
}

// Names beside their colours. A colour of null is for missing values: a ring on maps of topics.
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
    this.results = [];
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
    this.texts ??= { topics: data.topics.map((topic) => fold(topic.label)), papers: data.titles.map(fold) };
    const all = (text) => words.every((word) => text.includes(word));
    this.results = [];
    if (words.length) {
      this.texts.topics.forEach((text, k) => all(text) && data.topics[k].papers && this.results.push(["topics", k]));
      for (let k = this.texts.papers.length - 1; k >= 0; k--) {
        if (all(this.texts.papers[k])) this.results.push(["papers", k]);
      }
    }
    this.page.matches = this.results;
    this.at = -1;
    this.list(words.length > 0);
    this.page.requestPaint();
  }

  list(hasQuery) {
    const rows = this.results.slice(0, MAX_RESULTS).map((result, k) => {
      const [name, details] = describe(this.page.data, result);
      const row = element("li", shorten(name, 110));
      Object.assign(row, { id: `result-${k}`, dir: "auto" });
      row.setAttribute("role", "option");
      row.append(element("span", (result[0] === "topics" ? "topic \u00b7 " : "") + details));
      row.onclick = () => this.page.reach(result);
      return row;
    });
    const more = this.results.length > MAX_RESULTS || !this.results.length;
    if (hasQuery && more) rows.push(this.note());
    $("results").replaceChildren(...rows);
    $("results").hidden = !hasQuery;
    $("query").setAttribute("aria-expanded", String(hasQuery));
    if (hasQuery) $("status").textContent = `results: ${number(this.results.length)}`;
    this.mark();
  }

  note() {
    const row = element("li", this.results.length ? `results in total: ${number(this.results.length)}` : "no results");
    row.className = "none";
    return row;
  }

  mark() {
    [...$("results").children].forEach((row, k) => row.setAttribute("aria-selected", String(k === this.at)));
    const marked = $(`result-${this.at}`);
    $("query").setAttribute("aria-activedescendant", marked ? marked.id : "");
    marked?.scrollIntoView({ block: "nearest" });
  }

  press(event) {
    const last = Math.min(this.results.length, MAX_RESULTS) - 1;
    if (event.key === "ArrowDown") this.at = Math.min(this.at + 1, last);
    else if (event.key === "ArrowUp") this.at = Math.max(this.at - 1, 0);
    else if (event.key === "Enter" && last >= 0) return this.page.reach(this.results[Math.max(this.at, 0)]);
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

// The page: display, and events of pointer and keys.

const $ = (id) => document.getElementById(id);
const NOTHING = 255; // row of missing values
const MANY = 20000; // papers
const CLOSE = 1.8; // zoom from which papers may be labelled
const CROWD = 500; // maximum number of papers in the window for labels
const NAMED = 80; // maximum number of labelled papers
const RINGS = 60; // maximum number of rings of search results; more would cover each other

class Page extends View {
  constructor(data) {
    super(data);
    this.count = data.ids.length;
    this.middles = readPlaces(data.columns, "middle_");
    this.dots = new Dots($("points"), this.spots.papers, data.columns.size);
    this.ink = $("names").getContext("2d");
    this.labels = new Labels(this.ink);
    this.overlays = Object.fromEntries(data.overlays.map((overlay) => [overlay.name, overlay]));
    this.chosen = {};
    for (const { of, name } of data.overlays) this.chosen[of] ??= name;
    this.matches = [];
    this.topic = -1; // topic whose papers are in colour; -1 for all
    this.selected = null; // [view, row]
    this.hover = null;
    this.dark = matchMedia("(prefers-color-scheme: dark)");
    this.search = new Search(this);
    listen(this);
    fillPanel(this);
    this.resize();
    this.readAddress();
    this.show(this.view);
    $("wait").hidden = true;
  }

  // --- display

  get overlay() {
    return this.overlays[this.chosen[this.view]];
  }

  requestPaint() {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      this.paint();
    });
  }

  resize() {
    this.ratio = Math.min(devicePixelRatio || 1, 2);
    $("names").width = Math.round(innerWidth * this.ratio);
    $("names").height = Math.round(innerHeight * this.ratio);
    this.refit();
    this.requestPaint();
  }

  // Many dots are drawn coarsely while the map moves, and finely afterwards.
  requestMovingPaint() {
    this.rough = this.count > MANY;
    clearTimeout(this.resting);
    this.resting = setTimeout(() => {
      this.rough = false;
      this.requestPaint();
    }, 160);
    this.requestPaint();
  }

  paint() {
    this.theme();
    this.ink.setTransform(1, 0, 0, 1, 0, 0);
    this.ink.clearRect(0, 0, $("names").width, $("names").height);
    this.ink.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    this.labels.clear();
    for (const id of ["panel", "card", "tools"]) {
      const box = $(id).getBoundingClientRect();
      if (box.width) this.labels.keepOff(box.left, box.top, box.right, box.bottom);
    }
    const ratio = this.rough ? 1 : this.ratio;
    const [width, height] = [Math.round(innerWidth * ratio), Math.round(innerHeight * ratio)];
    if ($("points").width !== width) $("points").width = width;
    if ($("points").height !== height) $("points").height = height;
    if (this.view === "papers") this.paintPapers();
    else this.paintTopics();
  }

  theme() {
    const style = getComputedStyle(document.documentElement);
    const colour = (name) => style.getPropertyValue(name).trim();
    this.colours = Object.fromEntries(
      ["paper", "ink", "soft", "faint", "accent", "ring"].map((name) => [name, colour("--" + name)]),
    );
  }

  // Colours of an overlay, three numbers per row; the last row is for missing values.
  table(overlay) {
    const named = overlay.categories.map(([, colour]) => colour);
    const table = new Uint8Array(3 * 256).fill(128);
    (named.length ? named : this.ramp(overlay)).forEach((colour, k) => table.set(toRgb(colour), 3 * k));
    table.set(toRgb(this.nothing), 3 * NOTHING);
    return table;
  }

  get ground() {
    return this.dark.matches ? "dark" : "light";
  }

  get nothing() {
    return this.data.nothing[this.ground];
  }

  ramp(overlay) {
    return this.data.ramps[overlay.kind === "density" ? "density" : "values"][this.ground];
  }

  // Highlighted rows: papers of the open topic, or search results; null for all.
  highlighted() {
    if (this.topic >= 0 && this.view === "topics") return (k) => k === this.topic;
    const topics = this.data.columns.topic;
    if (this.topic >= 0) return (k) => topics[k] === this.topic;
    const matches = new Set();
    for (const [kind, row] of this.matches) if (kind === this.view) matches.add(row);
    return matches.size ? (k) => matches.has(k) : null;
  }

  radius() {
    const screen = Math.max(0.6, Math.min(1, Math.min(innerWidth, innerHeight) / 800));
    const bare = Math.max(1.05, screen * (8.2 - 1.55 * Math.log10(this.count + 1)));
    return Math.min(bare * this.zoom() ** 0.4, Math.max(bare, 9));
  }

  paintPapers() {
    const ratio = this.rough ? 1 : this.ratio;
    const place = this.place;
    const scale = place.scale * ratio;
    const shown = this.overlay;
    const radius = this.radius() * ratio;
    const table = this.table(shown);
    const faint = new Uint8Array(table.length);
    for (let k = 0; k < 256; k++) faint.set(toRgb(this.colours.faint), 3 * k);
    this.dots.draw(
      { scale, left: $("points").width / 2 - place.x * scale, top: $("points").height / 2 - place.y * scale },
      {
        rows: this.data.columns["overlay_" + shown.name],
        table,
        faint,
        stamps: [0.85, 1, 1.35, 1.9].map((times) => makeStamp(radius * times)),
        ground: toRgb(this.colours.paper),
        opacity: this.count > MANY ? 0.75 : 0.85,
        highlighted: this.highlighted(),
      },
    );
    this.paintMatches(radius / ratio);
    this.paintSelected("papers", () => radius / ratio + 5);
    this.nameTopics(this.middles);
    this.namePapers(radius / ratio);
  }

  paintTopics() {
    const context = $("points").getContext("2d");
    context.fillStyle = this.colours.paper;
    context.fillRect(0, 0, $("points").width, $("points").height);
    const table = this.table(this.overlay);
    const highlighted = this.highlighted();
    this.data.topics.forEach((topic, k) => {
      if (!topic.placed) return;
      const [x, y] = this.toScreen(this.spots.topics[2 * k], this.spots.topics[2 * k + 1]);
      const row = this.data.columns["overlay_" + this.overlay.name][k];
      const hollow = row === NOTHING;
      this.ink.beginPath();
      this.ink.arc(x, y, this.circle(topic), 0, 7);
      this.ink.globalAlpha = highlighted && !highlighted(k) ? 0.18 : 0.85;
      this.ink.fillStyle = hollow ? this.colours.paper : toHex([...table.slice(3 * row, 3 * row + 3)]);
      this.ink.fill();
      if (!hollow) this.ink.globalAlpha = 1;
      this.ink.strokeStyle = hollow ? this.colours.soft : this.colours.paper;
      this.ink.lineWidth = hollow ? 1.4 : 1;
      this.ink.stroke();
      this.ink.globalAlpha = 1;
    });
    this.paintMatches(0);
    this.paintSelected("topics", (k) => this.circle(this.data.topics[k]) + 3);
    this.nameTopics(this.spots.topics);
  }

  circle(topic) {
    const largest = this.data.topics[0].size || 1;
    const share = Math.min(0.042, 0.4 / Math.sqrt(this.data.topics.length));
    const most = Math.min(innerWidth, innerHeight) * share;
    return Math.max(2.5, most * Math.sqrt(topic.size / largest)) * Math.min(this.zoom() ** 0.5, 4);
  }

  paintMatches(radius) {
    const matches = this.matches.filter(([kind]) => kind === this.view);
    if (matches.length > RINGS) return;
    this.ink.strokeStyle = this.colours.ring;
    this.ink.lineWidth = 2;
    this.ink.beginPath();
    for (const [kind, row] of matches) {
      const places = this.spots[kind];
      const [x, y] = this.toScreen(places[2 * row], places[2 * row + 1]);
      const size = kind === "topics" ? this.circle(this.data.topics[row]) + 2 : radius + 3;
      this.ink.moveTo(x + size, y);
      this.ink.arc(x, y, size, 0, 7);
    }
    this.ink.stroke();
  }

  paintSelected(kind, radius) {
    for (const [target, width] of [[this.hover, 1.5], [this.selected, 3]]) {
      if (!target || target[0] !== kind) continue;
      const places = this.spots[kind];
      const [x, y] = this.toScreen(places[2 * target[1]], places[2 * target[1] + 1]);
      this.ink.beginPath();
      this.ink.arc(x, y, radius(target[1]), 0, 7);
      this.ink.lineWidth = width + 2;
      this.ink.strokeStyle = this.colours.paper;
      this.ink.stroke();
      this.ink.lineWidth = width;
      this.ink.strokeStyle = this.colours.ring;
      this.ink.stroke();
    }
  }

  // Topics in the order of their size; a smaller topic gets its label if there is space.
  nameTopics(places) {
    const { topics } = this.data;
    const largest = Math.sqrt(topics[0]?.size || 1);
    const first = this.topic;
    const others = [...topics.keys()].filter((k) => k !== first);
    const discs = this.view === "topics" ? this.discs() : [];
    const highlighted = this.highlighted();
    for (const k of first < 0 ? others : [first, ...others]) {
      const topic = topics[k];
      const isPlaced = this.view === "papers" ? topic.papers : topic.placed;
      if (!isPlaced || topic.size * this.zoom() ** 2 < this.data.least) continue;
      const [x, y] = this.toScreen(places[2 * k], places[2 * k + 1]);
      if (x < 0 || y < 0 || x > innerWidth || y > innerHeight) continue;
      const size = (isNarrow() ? 10 : 11) + (isNarrow() ? 3 : 4) * (Math.sqrt(topic.size) / largest);
      if (highlighted && k !== first && this.view === "topics" && !highlighted(k)) continue;
      this.labels.draw(topic.label, x, y, {
        discs: discs.filter(([row]) => row !== k),
        away: this.view === "topics" ? this.circle(topic) + 1 : 0,
        font: `${k === first ? 700 : 600} ${size.toFixed(1)}px ${this.data.font}`,
        size,
        colour: this.colours.ink,
        ground: this.colours.paper,
        force: k === first,
      });
    }
  }

  // [row, x, y, radius] of circles, whose centres are not covered by labels of others.
  discs() {
    const discs = [];
    this.data.topics.forEach((topic, k) => {
      if (!topic.placed) return;
      const [x, y] = this.toScreen(this.spots.topics[2 * k], this.spots.topics[2 * k + 1]);
      discs.push([k, x, y, this.circle(topic)]);
    });
    return discs;
  }

  // At high zoom, the papers with the highest values are labelled too.
  namePapers(radius) {
    const visible = this.zoom() < CLOSE ? [] : this.visible();
    if (visible.length > CROWD) return;
    for (const k of visible.slice(0, NAMED)) {
      const [x, y] = this.toScreen(this.spots.papers[2 * k], this.spots.papers[2 * k + 1]);
      this.labels.draw(shorten(this.data.titles[k], 44), x, y, {
        font: `400 11.5px ${this.data.font}`,
        size: 11.5,
        colour: this.colours.soft,
        ground: this.colours.paper,
        beside: radius * 1.5 + 2,
      });
    }
  }

  // Papers in the window, of the open topic if any, by descending value.
  visible() {
    const [left, top] = this.toMap(0, 0);
    const [right, bottom] = this.toMap(innerWidth, innerHeight);
    const places = this.spots.papers;
    const topics = this.data.columns.topic;
    const visible = [];
    for (let k = this.count - 1; k >= 0; k--) {
      const [x, y] = [places[2 * k], places[2 * k + 1]];
      if (x < left || x > right || y < top || y > bottom) continue;
      if (this.topic < 0 || topics[k] === this.topic) visible.push(k);
    }
    return visible;
  }

  // --- pointing

  point(x, y) {
    const target = this.find(x, y);
    const changed = String(target) !== String(this.hover);
    this.hover = target;
    $("names").classList.toggle("over", Boolean(target));
    if (target) this.showTip(x, y);
    else $("tip").hidden = true;
    if (changed) this.requestPaint();
  }

  showTip(x, y) {
    const tip = $("tip");
    const [title, details] = describe(this.data, this.hover);
    tip.replaceChildren(element("b", title), element("span", details));
    tip.hidden = false;
    const box = tip.getBoundingClientRect();
    const left = x + 16 + box.width > innerWidth ? x - 16 - box.width : x + 16;
    const top = y + 16 + box.height > innerHeight ? y - 16 - box.height : y + 16;
    tip.style.left = `${Math.max(4, left)}px`;
    tip.style.top = `${Math.max(4, top)}px`;
  }

  // --- selecting

  select(target, { fly = false } = {}) {
    if (!target) return this.close();
    const [kind, row] = target;
    if (kind !== this.view) this.show(kind);
    this.selected = target;
    this.openCard(target, kind === "papers" ? paperCard(this, row) : topicCard(this, row));
    const places = this.spots[kind];
    if (fly) this.flyTo(places[2 * row], places[2 * row + 1], kind === "papers" ? 6 : 1.6);
    this.requestPaint();
  }

  openCard(target, parts) {
    const close = element("button", "\u00d7");
    Object.assign(close, { className: "close", type: "button", title: "Close (Esc)" });
    close.setAttribute("aria-label", "Close");
    close.onclick = () => this.close();
    $("card").replaceChildren(close, ...parts);
    $("card").hidden = false;
    $("card").scrollTop = 0;
    $("tip").hidden = true;
    $("status").textContent = describe(this.data, target).join(". ");
  }

  close() {
    this.selected = null;
    this.topic = -1;
    $("card").hidden = true;
    this.requestPaint();
  }

  // A topic or paper from a list.
  reach(target) {
    if (isNarrow()) $("folded").open = false;
    const [kind, row] = target;
    const isShown = this.view === "topics" && this.data.topics[row]?.placed;
    if (kind === "topics" && !isShown) this.openTopic(row);
    else this.select(target, { fly: true });
  }

  // Shows only the papers of a topic in colour.
  openTopic(topic) {
    this.show("papers");
    [this.topic, this.selected] = [topic, null];
    this.openCard(["topics", topic], topicCard(this, topic));
    this.flyTo(this.middles[2 * topic], this.middles[2 * topic + 1], 2.2);
  }

  show(view) {
    this.view = view;
    if (/^Map of (papers|topics)$/.test(document.title)) {
      document.title = document.querySelector("h1").textContent = `Map of ${view}`;
    }
    this.hover = null;
    $("tip").hidden = true;
    document.querySelector(`#views input[value="${view}"]`).checked = true;
    fillOverlays(this);
    this.requestPaint();
  }

  paintBy(name) {
    this.chosen[this.view] = name;
    fillLegend(this);
    this.requestPaint();
  }

  // #by=OVERLAY, #topic=NAME and #paper=ID in the address open the page at that overlay, topic or paper.
  readAddress() {
    const parameters = new URLSearchParams(location.hash.slice(1));
    const overlay = this.overlays[parameters.get("by")];
    if (overlay) [this.view, this.chosen[overlay.of]] = [overlay.of, overlay.name];
    const topic = this.data.topics.findIndex(({ name }) => name === parameters.get("topic"));
    const paper = this.data.ids.indexOf(parameters.get("paper"));
    if (topic >= 0) setTimeout(() => this.openTopic(topic));
    if (paper >= 0) setTimeout(() => this.select(["papers", paper], { fly: true }));
  }
}

async function start() {
  try {
    new Page(await readData());
  } catch (error) {
    $("wait").textContent = "DecompressionStream" in globalThis
      ? `This map cannot be read: ${error.message}`
      : "This browser is too old for the map; use a browser of 2023 or later.";
  }
}

start();

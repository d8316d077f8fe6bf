// The visible part of a map, and the point at the pointer.

const CLOSEST = 400; // maximum zoom, relative to the whole map
const REACH = 14; // maximum pixels between the pointer and a point

class View {
  constructor(data) {
    this.data = data;
    this.spots = { papers: readPlaces(data.columns, "paper_"), topics: readPlaces(data.columns, "topic_") };
    this.grid = new Grid(this.spots.papers);
    this.views = {};
    this.bare = {};
    this.view = "papers";
  }

  // [x, y of the centre, pixels of the screen for the whole map]
  get place() {
    return (this.views[this.view] ??= this.fit());
  }

  fit() {
    const places = this.spots[this.view];
    let [left, top, right, bottom] = [1, 1, 0, 0];
    for (let k = 0; k < places.length; k += 2) {
      if (this.view === "topics" && !this.data.topics[k / 2].placed) continue;
      left = Math.min(left, places[k]);
      right = Math.max(right, places[k]);
      top = Math.min(top, places[k + 1]);
      bottom = Math.max(bottom, places[k + 1]);
    }
    const { left: l, right: r, top: t, bottom: b } = this.covered();
    const [width, height] = [innerWidth - l - r - 70, innerHeight - t - b - 50];
    const margin = this.view === "topics" ? 1.16 : 1.04;
    const extent = [Math.max(right - left, 1e-4) * margin, Math.max(bottom - top, 1e-4) * margin];
    const scale = Math.max(Math.min(width / extent[0], height / extent[1]), 40);
    this.bare[this.view] = scale;
    const [mx, my] = this.middle();
    const x = (left + right) / 2 - (mx - innerWidth / 2 - 10) / scale;
    return { x, y: (top + bottom) / 2 - (my - innerHeight / 2) / scale, scale };
  }

  // Widths of panel and card on the four sides of the window.
  covered() {
    const [panel, card] = [$("panel"), $("card")].map((part) => part.getBoundingClientRect());
    const open = !$("card").hidden;
    if (!isNarrow()) return { left: panel.right, right: open ? innerWidth - card.left : 0, top: 0, bottom: 0 };
    const top = Math.min(panel.bottom, innerHeight * 0.5);
    return { left: 0, right: 0, top, bottom: open ? innerHeight - card.top : 0 };
  }

  // The centre of the remaining window.
  middle() {
    const { left, right, top, bottom } = this.covered();
    return [(left + innerWidth - right) / 2, (top + innerHeight - bottom) / 2];
  }

  toScreen(x, y) {
    const place = this.place;
    return [(x - place.x) * place.scale + innerWidth / 2, (y - place.y) * place.scale + innerHeight / 2];
  }

  toMap(x, y) {
    const place = this.place;
    return [(x - innerWidth / 2) / place.scale + place.x, (y - innerHeight / 2) / place.scale + place.y];
  }

  // Zoom relative to the scale of the whole map.
  zoom() {
    const place = this.place;
    return place.scale / this.bare[this.view];
  }

  // A map that was not moved is shown whole after the window changes its size.
  refit() {
    for (const [name, place] of Object.entries(this.views)) if (!place.moved) delete this.views[name];
  }

  move(dx, dy) {
    const place = this.place;
    place.moved = true;
    place.x = Math.max(-0.2, Math.min(1.2, place.x - dx / place.scale));
    place.y = Math.max(-0.2, Math.min(1.2, place.y - dy / place.scale));
    this.requestMovingPaint();
  }

  // Zooms; the point at (x, y) of the screen stays in place.
  zoomBy(factor, x = innerWidth / 2, y = innerHeight / 2) {
    const place = this.place;
    const bare = this.bare[this.view];
    const scale = Math.max(bare * 0.5, Math.min(bare * CLOSEST, place.scale * factor));
    const [mx, my] = this.toMap(x, y);
    Object.assign(place, { scale, moved: true });
    place.x = mx - (x - innerWidth / 2) / scale;
    place.y = my - (y - innerHeight / 2) / scale;
    this.requestMovingPaint();
  }

  showAll() {
    this.views[this.view] = this.fit();
    this.requestPaint();
  }

  flyTo(x, y, closer) {
    const place = this.place;
    Object.assign(place, { scale: Math.max(place.scale, this.bare[this.view] * closer), moved: true });
    const [mx, my] = this.middle();
    place.x = x - (mx - innerWidth / 2) / place.scale;
    place.y = y - (my - innerHeight / 2) / place.scale;
    this.requestPaint();
  }

  find(x, y) {
    const [mx, my] = this.toMap(x, y);
    if (this.view === "papers") {
      const row = this.grid.nearest(mx, my, REACH / this.place.scale);
      return row < 0 ? null : ["papers", row];
    }
    let [best, least] = [null, Infinity];
    this.data.topics.forEach((topic, k) => {
      if (!topic.placed) return;
      const [tx, ty] = this.toScreen(this.spots.topics[2 * k], this.spots.topics[2 * k + 1]);
      const away = Math.hypot(tx - x, ty - y);
      const within = away <= Math.max(this.circle(topic), 8);
      if (within && this.circle(topic) < least) [best, least] = [["topics", k], this.circle(topic)];
    });
    return best;
  }

  nearestToMiddle() {
    const [x, y] = this.middle();
    if (this.view === "topics") return this.find(x, y);
    const [mx, my] = this.toMap(x, y);
    for (let reach = REACH; reach < 4 * innerWidth; reach *= 2) {
      const row = this.grid.nearest(mx, my, reach / this.place.scale);
      if (row >= 0) return ["papers", row];
    }
    return null;
  }
}

// Mouse, fingers, keys, buttons.

const STEP = 1.5; // factor of a zoom step
const STRIDE = 0.12; // share of the window that an arrow key moves

function listen(page) {
  addEventListener("resize", () => page.resize());
  page.dark.addEventListener("change", () => {
    fillLegend(page);
    page.requestPaint();
  });
  addEventListener("keydown", (event) => {
    if (event.key === "Escape" && event.target !== $("query")) page.close();
  });
  new Pointers(page, $("names"));
  $("names").addEventListener("keydown", (event) => pressKey(page, event));
  $("nearer").onclick = () => page.zoomBy(STEP);
  $("farther").onclick = () => page.zoomBy(1 / STEP);
  $("whole").onclick = () => page.showAll();
  $("picture").onclick = () => savePicture(page);
  $("overlay").onchange = () => page.paintBy($("overlay").value);
  for (const view of document.querySelectorAll("#views input")) {
    view.onchange = () => page.show(view.value);
  }
}

function pressKey(page, event) {
  const across = innerWidth * STRIDE;
  const along = innerHeight * STRIDE;
  const actions = {
    ArrowLeft: () => page.move(across, 0),
    ArrowRight: () => page.move(-across, 0),
    ArrowUp: () => page.move(0, along),
    ArrowDown: () => page.move(0, -along),
    "+": () => page.zoomBy(STEP),
    "=": () => page.zoomBy(STEP),
    "-": () => page.zoomBy(1 / STEP),
    0: () => page.showAll(),
    Enter: () => page.select(page.nearestToMiddle()),
    "/": () => $("query").focus(),
  };
  if (!(event.key in actions) || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  actions[event.key]();
}

// One pointer moves the map, two pointers zoom; a click selects.
class Pointers {
  constructor(page, canvas) {
    Object.assign(this, { page, canvas, down: new Map(), moved: 0 });
    canvas.addEventListener("pointerdown", (event) => this.press(event));
    canvas.addEventListener("pointermove", (event) => this.move(event));
    canvas.addEventListener("pointerup", (event) => this.lift(event));
    canvas.addEventListener("pointercancel", (event) => this.lift(event));
    canvas.addEventListener("pointerleave", () => this.leave());
    canvas.addEventListener("wheel", (event) => this.turn(event), { passive: false });
    canvas.addEventListener("dblclick", (event) => page.zoomBy(2, event.clientX, event.clientY));
  }

  press(event) {
    if (event.button !== 0) return;
    this.canvas.setPointerCapture(event.pointerId);
    this.down.set(event.pointerId, [event.clientX, event.clientY]);
    if (this.down.size === 1) this.moved = 0;
  }

  move(event) {
    const before = this.down.get(event.pointerId);
    if (!before) {
      if (event.pointerType !== "touch") this.page.point(event.clientX, event.clientY);
      return;
    }
    const after = [event.clientX, event.clientY];
    const [dx, dy] = [after[0] - before[0], after[1] - before[1]];
    const other = [...this.down].find(([id]) => id !== event.pointerId)?.[1];
    this.down.set(event.pointerId, after);
    this.moved += Math.hypot(dx, dy);
    if (this.moved > 4) this.canvas.classList.add("moving");
    if (!other) return this.page.move(dx, dy);
    const distance = (point) => Math.max(1, Math.hypot(point[0] - other[0], point[1] - other[1]));
    this.page.move(dx / 2, dy / 2);
    this.page.zoomBy(distance(after) / distance(before), (after[0] + other[0]) / 2, (after[1] + other[1]) / 2);
  }

  lift(event) {
    if (!this.down.delete(event.pointerId)) return;
    this.canvas.classList.remove("moving");
    if (event.type === "pointerup" && !this.down.size && this.moved <= 4) {
      const target = this.page.find(event.clientX, event.clientY);
      if (target) this.page.select(target);
      else this.page.close();
    }
  }

  leave() {
    if (!this.down.size) this.page.point(-1e6, -1e6);
  }

  turn(event) {
    event.preventDefault();
    const lines = event.deltaMode ? event.deltaY * 30 : event.deltaY;
    const change = Math.max(-0.6, Math.min(0.6, -lines * (event.ctrlKey ? 0.01 : 0.0018)));
    this.page.zoomBy(Math.exp(change), event.clientX, event.clientY);
  }
}

// The view with its heading, as a PNG.
function savePicture(page) {
  const { ratio, colours } = page;
  const [width, height, top] = [$("points").width, $("points").height, 64 * ratio];
  const canvas = element("canvas");
  [canvas.width, canvas.height] = [width, height + top];
  const context = canvas.getContext("2d");
  context.fillStyle = colours.paper;
  context.fillRect(0, 0, canvas.width, canvas.height);
  for (const layer of ["points", "names"]) context.drawImage($(layer), 0, top);
  const points = page.view === "papers" ? "Papers" : "Topics";
  context.fillStyle = colours.ink;
  context.font = `700 ${20 * ratio}px ${page.data.font}`;
  context.fillText(`${points} by ${page.overlay.title}`, 16 * ratio, 30 * ratio);
  context.fillStyle = colours.soft;
  context.font = `400 ${12 * ratio}px ${page.data.font}`;
  context.fillText(page.data.facts, 16 * ratio, 50 * ratio);
  canvas.toBlob((blob) => {
    const saved = element("a");
    saved.href = URL.createObjectURL(blob);
    saved.download = `map-${page.overlay.name}.png`;
    saved.click();
    setTimeout(() => URL.revokeObjectURL(saved.href), 10000);
  });
}

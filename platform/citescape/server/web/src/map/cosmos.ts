// The canvas of a map drawn by cosmos.gl (WebGL2), without its simulation.
import { Graph } from "@cosmos.gl/graph";
import { type Camera, clampZoom, CLOSEST, FARTHEST, FILL, magnify, type Box, type MapCanvas, type Place } from "./canvas";
import type { Grid } from "./grid";

const SIDE = 4096;
// Pixels between the pointer and a point.
const REACH = 10;
// Frames drawn after a change; the library itself would draw without end.
const FRAMES = 4;

// Parts of the library that are not in its types.
interface Inside {
  startFrames?(): void;
  stopFrames?(): void;
  canvasD3Selection?: { call(apply: unknown, transform: unknown): void };
  zoomInstance?: {
    behavior?: { transform?: unknown; scaleExtent?(extent: [number, number]): void };
    getTransform?(places: Float32Array, scale: number, padding: number): unknown;
  };
}

export class CosmosCanvas implements MapCanvas {
  private readonly graph: Graph;
  private readonly moved: (() => void)[] = [];
  private readonly resized: ResizeObserver;
  private colors: Float32Array = new Float32Array();
  private grid: Grid | null = null;
  private transform = { x: 0, y: 0, k: 1 };
  // Scale that the camera moves to.
  private goal = 1;
  private left = 0;
  private until = 0;
  private ticking = 0;
  private aimed: () => void = () => {};
  private colored: () => void = () => {};
  private isReady = false;
  readonly ready: Promise<void>;
  width = 0;
  height = 0;

  constructor(private readonly host: HTMLDivElement, ground: string) {
    this.measure();
    const aimed = new Promise<void>((resolve) => (this.aimed = resolve));
    const colored = new Promise<void>((resolve) => (this.colored = resolve));
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    this.ready = Promise.all([aimed, colored]).then(frame).then(frame).then(() => {});
    this.graph = new Graph(host, {
      enableSimulation: false,
      backgroundColor: ground,
      spaceSize: SIDE,
      rescalePositions: false,
      transitionDuration: 0,
      fitViewOnInit: false,
      renderLinks: false,
      enableDrag: false,
      attribution: "",
      pixelRatio: Math.min(devicePixelRatio || 1, 2),
      onZoom: ({ transform }) => {
        this.transform = { x: transform.x, y: transform.y, k: transform.k };
        if (this.magnification !== this.graph.config.pointSizeScale) {
          this.graph.setConfigPartial({ pointSizeScale: this.magnification });
        }
        this.keepDrawing();
        if (Math.abs(transform.k / this.goal - 1) < 1e-3) this.aimed();
        for (const listener of this.moved) listener();
      },
    });
    this.graph.ready.then(() => (this.isReady = true), () => {});
    this.resized = new ResizeObserver(() => {
      this.measure();
      this.keepDrawing();
      const extent: [number, number] = [(FARTHEST * this.side) / SIDE, (CLOSEST * this.side) / SIDE];
      (this.graph as unknown as Inside).zoomInstance?.behavior?.scaleExtent?.(extent);
      for (const listener of this.moved) listener();
    });
    this.resized.observe(host);
  }


  // The library itself defers calls only until it has a device, and has no points to write to yet.
  private whenReady(task: () => void): void {
    if (this.isReady) task();
    else this.graph.ready.then(task, () => {});
  }

  get loaded(): Promise<void> {
    return this.graph.ready;
  }

  get magnification(): number {
    return magnify((this.transform.k * SIDE) / this.side);
  }

  // Pixels of the side of the square at zoom 1.
  private get side(): number {
    return FILL * Math.max(Math.min(this.width, this.height), 1);
  }

  get camera(): Camera {
    const [x, y] = this.toMap([this.width / 2, this.height / 2]);
    return { x, y, zoom: (this.transform.k * SIDE) / this.side };
  }

  setPoints(places: Float32Array, diameters: Float32Array, grid: Grid): void {
    this.grid = grid;
    const spread = new Float32Array(places.length);
    for (let k = 0; k < places.length; k += 2) {
      spread[k] = places[k]! * SIDE;
      spread[k + 1] = (1 - places[k + 1]!) * SIDE;
    }
    this.whenReady(() => {
      this.graph.setPointPositions(spread, true);
      this.graph.setPointSizes(diameters);
    });
  }

  setColors(colors: Float32Array): void {
    this.colors = colors;
    this.whenReady(() => {
      this.graph.setPointColors(colors);
      this.graph.render();
      this.colored();
    });
    this.keepDrawing();
  }

  setGround(color: string): void {
    this.whenReady(() => this.graph.setConfigPartial({ backgroundColor: color }));
    this.keepDrawing();
  }

  setCamera({ x, y, zoom }: Camera, milliseconds = 0): void {
    const scale = (clampZoom(zoom) * this.side) / SIDE;
    const middle = new Float32Array([x * SIDE, (1 - y) * SIDE]);
    this.goal = scale;
    this.keepDrawing(milliseconds);
    this.whenReady(() => {
      if (milliseconds || !this.jump(middle, scale)) {
        this.graph.setZoomTransformByPointPositions(middle, milliseconds, scale, 0, false);
      }
    });
  }

  // Moves the camera at once, which the library itself does a frame later; false if it cannot.
  private jump(middle: Float32Array, scale: number): boolean {
    const { canvasD3Selection, zoomInstance } = this.graph as unknown as Inside;
    const transform = zoomInstance?.getTransform?.(middle, scale, 0);
    if (!canvasD3Selection || !zoomInstance?.behavior?.transform || !transform) return false;
    canvasD3Selection.call(zoomInstance.behavior.transform, transform);
    return true;
  }

  private measure(): void {
    this.width = this.host.clientWidth;
    this.height = this.host.clientHeight;
  }

  fit([left, top, right, bottom]: Box): Camera {
    const [across, along] = [Math.max(right - left, 1e-3), Math.max(bottom - top, 1e-3)];
    const scale = FILL * Math.min(this.width / across, this.height / along);
    return { x: (left + right) / 2, y: (top + bottom) / 2, zoom: clampZoom(scale / this.side) };
  }

  toScreen([x, y]: Place): Place {
    const { x: dx, y: dy, k } = this.transform;
    return [k * ((this.width - SIDE) / 2 + x * SIDE) + dx, k * ((this.height - SIDE) / 2 + y * SIDE) + dy];
  }

  toMap([px, py]: Place): Place {
    const { x: dx, y: dy, k } = this.transform;
    return [((px - dx) / k - (this.width - SIDE) / 2) / SIDE, ((py - dy) / k - (this.height - SIDE) / 2) / SIDE];
  }

  onMove(listener: () => void): void {
    this.moved.push(listener);
  }

  onClick(listener: (point: number, pixel: Place) => void): void {
    this.host.addEventListener("click", (event) => {
      const pixel = this.pixel(event);
      listener(this.pick(pixel), pixel);
    });
  }

  onHover(listener: (point: number, pixel: Place) => void): void {
    this.host.addEventListener("pointermove", (event) => {
      if (event.buttons || event.pointerType === "touch") return;
      const pixel = this.pixel(event);
      listener(this.pick(pixel), pixel);
    });
    this.host.addEventListener("pointerleave", () => listener(-1, [0, 0]));
  }

  private pixel(event: MouseEvent): Place {
    const box = this.host.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  private pick(pixel: Place): number {
    const reach = REACH / (this.transform.k * SIDE);
    return this.grid?.nearest(this.toMap(pixel), reach, (point) => this.colors[4 * point + 3]! > 0) ?? -1;
  }

  // Draws some frames, and until a flight ends; then rests.
  private keepDrawing(milliseconds = 0): void {
    this.left = FRAMES;
    this.until = Math.max(this.until, performance.now() + milliseconds);
    if (this.ticking) return;
    const graph = this.graph as unknown as Inside;
    const tick = (): void => {
      this.left--;
      if (this.left > 0 || performance.now() < this.until) {
        this.ticking = requestAnimationFrame(tick);
        return;
      }
      this.ticking = 0;
      graph.stopFrames?.();
    };
    this.ticking = requestAnimationFrame(tick);
    this.graph.ready.then(() => graph.startFrames?.(), () => {});
  }

  destroy(): void {
    cancelAnimationFrame(this.ticking);
    this.resized.disconnect();
    this.graph.destroy();
  }
}

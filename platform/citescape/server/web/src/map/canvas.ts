// What the page needs of a library that draws points. Places are in a square of side 1, y downwards.

import type { Grid } from "./grid";

export type Place = [number, number];

// left, top, right, bottom
export type Box = [number, number, number, number];

export interface Camera {
  x: number;
  y: number;
  // 1 shows the whole square in the shorter side of the window
  zoom: number;
}

export interface MapCanvas {
  readonly camera: Camera;
  readonly width: number;
  readonly height: number;
  // Factor of all diameters at the zoom of the camera.
  readonly magnification: number;
  // `grid` finds the point at the pointer.
  setPoints(places: Float32Array, diameters: Float32Array, grid: Grid): void;
  // red, green, blue and opacity of each point, 0 to 1; points of opacity 0 cannot be pointed at
  setColors(colors: Float32Array): void;
  setGround(color: string): void;
  setCamera(camera: Camera, milliseconds?: number): void;
  // A camera that shows this box.
  fit(box: Box): Camera;
  toScreen(place: Place): Place;
  toMap(pixel: Place): Place;
  onMove(listener: () => void): void;
  onClick(listener: (point: number, pixel: Place) => void): void;
  // The point at the pointer, -1 for none.
  onHover(listener: (point: number, pixel: Place) => void): void;
  // Resolves when the camera can be set; is rejected where the canvas cannot draw.
  readonly loaded: Promise<void>;
  // Resolves after the first picture.
  readonly ready: Promise<void>;
  destroy(): void;
}

// Share of the shorter side that the square takes at zoom 1.
export const FILL = 0.92;
export const CLOSEST = 400;
export const FARTHEST = 0.4;

// Dots grow more slowly than the map.
export const magnify = (zoom: number): number => Math.min(Math.max(zoom, 1) ** 0.35, 3.5);

export const clampZoom = (zoom: number): number => Math.min(Math.max(zoom, FARTHEST), CLOSEST);

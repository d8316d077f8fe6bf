// The map as a picture: the dots in the window, labels, title and legend, drawn from the data.
import { download } from "../format";
import type { MapCanvas } from "./canvas";
import type { Legend } from "./colors";
import type { Points, Theme } from "./data";
import { type Label, LABEL_FONT, LINE, shorten } from "./labels";

export interface Scene {
  canvas: MapCanvas;
  points: Points;
  colors: Float32Array;
  labels: Label[];
  legend: Legend;
  theme: Theme;
  radius: number;
  title: string;
  footer: string;
}

interface Pen {
  circle(x: number, y: number, radius: number, color: string, opacity: number): void;
  text(text: string, x: number, y: number, style: TextStyle): void;
}

interface TextStyle {
  size: number;
  color: string;
  weight?: number;
  anchor?: "start" | "middle";
  halo?: string;
}

const INKS = {
  light: { ground: "#ffffff", ink: "#1d2530", soft: "#59636f" },
  dark: { ground: "#1c2328", ink: "#e8edf0", soft: "#a3b1ba" },
};
const TOP = 58;
const SIDE = 230;
const SIZES = [0.85, 1, 1.35, 1.9];
const MOST_SVG = 20_000;

function drawScene({ canvas, points, colors, labels, legend, theme, radius, title, footer }: Scene, pen: Pen): void {
  const { ink, soft, ground } = INKS[theme];
  for (const row of listVisible(canvas, points, colors)) {
    const [x, y] = canvas.toScreen([points.places[2 * row]!, points.places[2 * row + 1]!]);
    const [red, green, blue, opacity] = colors.subarray(4 * row, 4 * row + 4);
    const color = `rgb(${[red!, green!, blue!].map((part) => Math.round(255 * part)).join(",")})`;
    pen.circle(x, y + TOP, radius * SIZES[points.size[row]!]!, color, Number(opacity!.toFixed(2)));
  }
  for (const { lines, x, y, size } of labels) {
    lines.forEach((line, place) => {
      const down = y + TOP + (place - (lines.length - 1) / 2) * size * LINE + 0.35 * size;
      pen.text(line, x, down, { size, color: ink, weight: 600, anchor: "middle", halo: ground });
    });
  }
  pen.text(title, 16, 28, { size: 20, color: ink, weight: 700 });
  pen.text(footer, 16, 47, { size: 12, color: soft });
  const left = canvas.width + 16;
  const rows = Math.max(Math.floor((canvas.height - 40) / 21), 1);
  legend.entries.slice(0, rows).forEach(({ text, color }, place) => {
    const y = TOP + 34 + 21 * place;
    pen.circle(left + 6, y - 4, 6, color, 1);
    pen.text(shorten(text, 30), left + 20, y, { size: 12, color: ink });
  });
  const more = legend.entries.length - rows;
  const hint = legend.entries.some(({ community }) => community) ? legend.title : legend.hint;
  pen.text(shorten(more > 0 ? `${hint}; ${more} more` : hint, 38), left, TOP + 10, { size: 12, color: soft });
}

function listVisible(canvas: MapCanvas, points: Points, colors: Float32Array): number[] {
  const [left, top] = canvas.toMap([0, 0]);
  const [right, bottom] = canvas.toMap([canvas.width, canvas.height]);
  const rows: number[] = [];
  for (let row = 0; row < points.count; row++) {
    const [x, y] = [points.places[2 * row]!, points.places[2 * row + 1]!];
    if (x >= left && x <= right && y >= top && y <= bottom && colors[4 * row + 3]! > 0) rows.push(row);
  }
  return rows;
}

export function savePng(scene: Scene): void {
  const [width, height] = [scene.canvas.width + SIDE, scene.canvas.height + TOP];
  const sheet = document.createElement("canvas");
  [sheet.width, sheet.height] = [2 * width, 2 * height];
  const context = sheet.getContext("2d");
  if (!context) return;
  context.scale(2, 2);
  context.fillStyle = INKS[scene.theme].ground;
  context.fillRect(0, 0, width, height);
  drawScene(scene, {
    circle: (x, y, radius, color, opacity) => {
      context.globalAlpha = opacity;
      context.fillStyle = color;
      context.beginPath();
      context.arc(x, y, radius, 0, 7);
      context.fill();
      context.globalAlpha = 1;
    },
    text: (text, x, y, { size, color, weight = 400, anchor = "start", halo }) => {
      context.font = `${weight} ${size}px ${LABEL_FONT}`;
      context.textAlign = anchor === "middle" ? "center" : "left";
      if (halo) {
        Object.assign(context, { strokeStyle: halo, lineWidth: 3.5, lineJoin: "round" });
        context.strokeText(text, x, y);
      }
      context.fillStyle = color;
      context.fillText(text, x, y);
    },
  });
  sheet.toBlob((blob) => blob && download("map.png", blob), "image/png");
}

// Returns why no file is saved, or nothing.
export function saveSvg(scene: Scene): string {
  const count = listVisible(scene.canvas, scene.points, scene.colors).length;
  if (count > MOST_SVG) {
    const [most, seen] = [MOST_SVG, count].map((number) => number.toLocaleString("en"));
    return `An SVG holds up to ${most} papers; ${seen} are in view: zoom in, or save a PNG.`;
  }
  const [width, height] = [scene.canvas.width + SIDE, scene.canvas.height + TOP];
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    `<rect width="100%" height="100%" fill="${INKS[scene.theme].ground}"/>`,
  ];
  drawScene(scene, {
    circle: (x, y, radius, color, opacity) =>
      parts.push(`<circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="${radius.toFixed(1)}" fill="${color}" opacity="${opacity}"/>`),
    text: (text, x, y, { size, color, weight = 400, anchor = "start", halo }) => {
      const around = halo ? ` stroke="${halo}" stroke-width="3.5" stroke-linejoin="round" paint-order="stroke"` : "";
      parts.push(
        `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" font-family="sans-serif" font-size="${size}" font-weight="${weight}" ` +
          `text-anchor="${anchor}" fill="${color}"${around}>${escape(text)}</text>`,
      );
    },
  });
  download("map.svg", new Blob([...parts, "</svg>"], { type: "image/svg+xml" }));
  return "";
}

const escape = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

// Drawings as files: with the styles of the page, so that they look the same elsewhere.
import type { RefObject } from "preact";
import { download } from "./format";

const STYLES = [
  "stroke", "stroke-width", "stroke-dasharray", "fill", "opacity", "marker-end", "text-anchor", "paint-order",
  "font-family", "font-size", "font-style", "font-weight",
];

function standalone(drawing: SVGSVGElement): string {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  const { width, height } = drawing.viewBox.baseVal;
  const originals = drawing.querySelectorAll("path, circle, rect, line, text");
  copy.querySelectorAll("path, circle, rect, line, text").forEach((element, place) => {
    const style = getComputedStyle(originals[place] as Element);
    for (const name of STYLES) element.setAttribute(name, style.getPropertyValue(name));
  });
  copy.querySelectorAll(".reach").forEach((element) => element.remove());
  copy.prepend(drawGround(drawing));
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", String(width));
  copy.setAttribute("height", String(height));
  return new XMLSerializer().serializeToString(copy);
}

function drawGround(drawing: SVGSVGElement): SVGRectElement {
  const ground = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  const { x, y, width, height } = drawing.viewBox.baseVal;
  for (const [name, value] of Object.entries({ x, y, width, height, fill: findGround(drawing) })) {
    ground.setAttribute(name, String(value));
  }
  return ground;
}

function saveSvg(drawing: SVGSVGElement, name: string): void {
  download(`${name}.svg`, new Blob([standalone(drawing)], { type: "image/svg+xml" }));
}

// Twice the size of the drawing, in pixels.
async function savePng(drawing: SVGSVGElement, name: string): Promise<void> {
  const picture = new Image();
  picture.src = URL.createObjectURL(new Blob([standalone(drawing)], { type: "image/svg+xml" }));
  await picture.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [2 * picture.width, 2 * picture.height];
  const context = canvas.getContext("2d");
  if (!context) return;
  context.fillStyle = findGround(drawing);
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  canvas.toBlob((blob) => blob && download(`${name}.png`, blob), "image/png");
  URL.revokeObjectURL(picture.src);
}

export function SaveButtons({ drawing, file }: { drawing: RefObject<SVGSVGElement>; file: string }) {
  return (
    <>
      <button type="button" onClick={() => drawing.current && saveSvg(drawing.current, file)}>SVG</button>
      <button type="button" onClick={() => drawing.current && savePng(drawing.current, file)}>PNG</button>
    </>
  );
}

// The colour behind a drawing, as a canvas reads it: variables may hold `light-dark()`.
function findGround(drawing: Element): string {
  for (let element: Element | null = drawing; element; element = element.parentElement) {
    const colour = getComputedStyle(element).backgroundColor;
    if (colour !== "rgba(0, 0, 0, 0)") return colour;
  }
  return "white";
}

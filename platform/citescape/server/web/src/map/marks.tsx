// What lies over the dots: labels, rings, the polygon of a selection.
import { useRef, useState } from "preact/hooks";
import type { MapCanvas, Place } from "./canvas";
import type { Points } from "./data";
import { type Label, LABEL_FONT, LINE } from "./labels";

interface MarksProps {
  canvas: MapCanvas;
  points: Points;
  labels: Label[];
  // name of the community that is selected; the others' labels are pale
  own: string;
  rings: number[];
  hover: number;
  radius: number;
  polygon: Place[] | null;
}

export function Marks({ canvas, points, labels, own, rings, hover, radius, polygon }: MarksProps) {
  const hasOwn = labels.some(({ community }) => community.name === own);
  const at = (row: number) => canvas.toScreen([points.places[2 * row]!, points.places[2 * row + 1]!]);
  return (
    <svg class="map-marks" aria-hidden="true" width={canvas.width} height={canvas.height}>
      {polygon && <path class="map-polygon" d={`${draw(polygon.map((corner) => canvas.toScreen(corner)))}Z`} />}
      {rings.map((row) => {
        const [x, y] = at(row);
        return <circle key={row} class="map-ring" cx={x} cy={y} r={radius + 3.5} />;
      })}
      {hover >= 0 && <circle class="map-ring hover" cx={at(hover)[0]} cy={at(hover)[1]} r={radius + 5} />}
      {labels.map(({ community, lines, x, y, size }) => (
        <text
          key={community.name} class={hasOwn && community.name !== own ? "pale" : ""} data-community={community.name} x={x} y={y} font-size={size} font-weight="600"
          font-family={LABEL_FONT} text-anchor="middle"
        >
          {lines.map((line, place) => (
            <tspan key={place} x={x} y={y + (place - (lines.length - 1) / 2) * size * LINE + 0.35 * size}>{line}</tspan>
          ))}
        </text>
      ))}
    </svg>
  );
}

const draw = (pixels: Place[]): string =>
  pixels.map(([x, y], place) => `${place ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");

interface LassoProps {
  canvas: MapCanvas;
  // corners in coordinates of the map
  onDone: (polygon: Place[]) => void;
}

// Takes the pointer while a reader draws.
export function Lasso({ canvas, onDone }: LassoProps) {
  const [drawn, setDrawn] = useState<Place[]>([]);
  const line = useRef<Place[] | null>(null);
  const pixel = (event: PointerEvent): Place => {
    const box = (event.currentTarget as SVGSVGElement).getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  return (
    <svg
      class="map-lasso" width={canvas.width} height={canvas.height}
      onPointerDown={(event) => {
        (event.currentTarget as SVGSVGElement).setPointerCapture(event.pointerId);
        line.current = [pixel(event)];
      }}
      onPointerMove={(event) => {
        if (!line.current) return;
        line.current.push(pixel(event));
        setDrawn([...line.current]);
      }}
      onPointerUp={() => {
        onDone((line.current ?? []).map((corner) => canvas.toMap(corner)));
        line.current = null;
      }}
    >
      {drawn.length > 1 && <path class="map-polygon" d={draw(drawn)} />}
    </svg>
  );
}

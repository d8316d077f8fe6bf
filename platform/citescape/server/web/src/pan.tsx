// Zoom and drag of a drawing.
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

const ZOOM = 1.25;

// Left, top, width and height of what is seen.
export type View = [number, number, number, number];

const zoom = ([x, y, width, height]: View, by: number): View => [
  x + (width * (1 - by)) / 2, y + (height * (1 - by)) / 2, width * by, height * by,
];

// `pan` has the properties of the `svg`, `tools` those of its buttons. A new `whole` shows all.
export function usePan(whole: View) {
  const [view, setView] = useState(whole);
  const drawing = useRef<SVGSVGElement>(null);
  const start = useRef<{ x: number; y: number; view: View } | null>(null);
  useEffect(() => setView(whole), [whole]);
  // Wheel listeners of Preact are passive: the page would scroll too.
  useEffect(() => {
    const own = drawing.current;
    const onWheel = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey) return; // the page scrolls
      event.preventDefault();
      setView((now) => zoom(now, event.deltaY > 0 ? ZOOM : 1 / ZOOM));
    };
    own?.addEventListener("wheel", onWheel, { passive: false });
    return () => own?.removeEventListener("wheel", onWheel);
  }, []);
  const pan = {
    ref: drawing,
    viewBox: view.join(" "),
    onPointerDown: (event: PointerEvent) => {
      const isOwn = (event.target as Element).closest("a, .edge");
      if (!isOwn) start.current = { x: event.clientX, y: event.clientY, view };
    },
    onPointerMove: (event: PointerEvent) => {
      const begun = start.current;
      if (!begun || !(event.buttons & 1)) return;
      const own = (event.currentTarget as SVGSVGElement).getBoundingClientRect();
      const scale = Math.max(begun.view[2] / own.width, begun.view[3] / own.height);
      const [x, y, width, height] = begun.view;
      setView([x - (event.clientX - begun.x) * scale, y - (event.clientY - begun.y) * scale, width, height]);
    },
    onPointerUp: () => {
      start.current = null;
    },
  };
  const tools = {
    onZoom: (factor: number) => setView(zoom(view, 1 / factor)),
    onWhole: () => setView(whole),
  };
  return { drawing, pan, tools };
}

interface Props {
  // factor of one step
  step?: number;
  onZoom: (factor: number) => void;
  onWhole: () => void;
  // further buttons
  children?: ComponentChildren;
}

export function PanTools({ step = ZOOM, onZoom, onWhole, children }: Props) {
  return (
    <div class="tools over" role="group" aria-label="View">
      <button type="button" onClick={() => onZoom(step)} aria-label="Zoom in" title="Zoom in">+</button>
      <button type="button" onClick={() => onZoom(1 / step)} aria-label="Zoom out" title="Zoom out">−</button>
      <button type="button" onClick={onWhole} title="Show all">Whole</button>
      {children}
    </div>
  );
}

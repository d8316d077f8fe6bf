// Citations that lie over each other where a reader clicked, to choose one.
import { useEffect, useRef } from "preact/hooks";
import { formatCount, formatScore } from "./format";
import type { Edge } from "./state";

interface Props {
  edges: Edge[];
  // pixels from the left and the top of the drawing, and the width of the drawing
  place: { x: number; y: number; width: number };
  // short name of a paper
  name: (id: string) => string;
  // a citation that the reader looks at; empty for none
  onPoint: (key: string) => void;
  onChoose: (key: string) => void;
  onClose: () => void;
}

const STEPS: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };

export function Chooser({ edges, place, name, onPoint, onChoose, onClose }: Props) {
  const root = useRef<HTMLDivElement>(null);
  const buttons = () => [...(root.current?.querySelectorAll("button") ?? [])];
  useEffect(() => {
    buttons()[0]?.focus({ preventScroll: true });
    const onPointerDown = (event: PointerEvent) => {
      if (root.current && !event.composedPath().includes(root.current)) onClose();
    };
    document.addEventListener("pointerdown", onPointerDown);
    return () => document.removeEventListener("pointerdown", onPointerDown);
  }, []);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (event.key !== "Escape" && !step) return;
    event.preventDefault();
    event.stopPropagation();
    if (!step) return onClose();
    const all = buttons();
    const next = all.findIndex((button) => button === event.target) + step;
    all[(next + all.length) % all.length]?.focus();
  };
  const { x, y, width } = place;
  const side = x > width / 2 ? { right: `${width - x}px` } : { left: `${x}px` };
  return (
    <div ref={root} class="chooser" role="dialog" aria-label="Citations here" style={{ top: `${y}px`, ...side }} onKeyDown={onKeyDown}>
      <p>{formatCount(edges.length, "citation")} here; choose one:</p>
      <ul onPointerLeave={() => onPoint("")}>
        {edges.map(({ key, citation, score }) => (
          <li key={key}>
            <button type="button" onClick={() => onChoose(key)} onFocus={() => onPoint(key)} onPointerEnter={() => onPoint(key)}>
              <span>{name(citation.citing)} → {name(citation.cited)}</span> <b>{formatScore(score)}</b>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

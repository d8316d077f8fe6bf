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
  // what had the focus before, such as the drawing
  const opener = useRef<HTMLElement | null>(null);
  const buttons = () => [...(root.current?.querySelectorAll("button") ?? [])];
  useEffect(() => {
    opener.current = (root.current!.getRootNode() as Document | ShadowRoot).activeElement as HTMLElement | null;
    buttons()[0]?.focus({ preventScroll: true });
    const onPointerDown = (event: PointerEvent) => {
      if (root.current && !event.composedPath().includes(root.current)) onClose();
    };
    document.addEventListener("pointerdown", onPointerDown);
    return () => document.removeEventListener("pointerdown", onPointerDown);
  }, []);
  const leave = () => opener.current?.focus({ preventScroll: true });
  // A press on what takes no focus has no target: the one above closes the list.
  const onFocusOut = (event: FocusEvent) => {
    const next = event.relatedTarget as Node | null;
    if (next && !root.current?.contains(next)) onClose();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (event.key !== "Escape" && !step) return;
    event.preventDefault();
    event.stopPropagation();
    if (!step) {
      leave();
      return onClose();
    }
    const all = buttons();
    const next = all.findIndex((button) => button === event.target) + step;
    all[(next + all.length) % all.length]?.focus();
  };
  const { x, y, width } = place;
  const side = x > width / 2 ? { right: `${width - x}px` } : { left: `${x}px` };
  return (
    <div
      ref={root} class="chooser" role="dialog" aria-label="Citations here" style={{ top: `${y}px`, ...side }}
      onKeyDown={onKeyDown} onFocusOut={onFocusOut}
    >
      <p>{formatCount(edges.length, "citation")} here; choose one:</p>
      <ul onPointerLeave={() => onPoint("")}>
        {edges.map(({ key, citation, score }) => (
          <li key={key}>
            <button
              type="button" onFocus={() => onPoint(key)} onPointerEnter={() => onPoint(key)}
              onClick={() => {
                leave();
                onChoose(key);
              }}
            >
              <span>{name(citation.citing)} → {name(citation.cited)}</span> <b>{formatScore(score)}</b>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

// The map: canvas, labels, legend, search, selection. The explorer and the page of `platform map`
// show it alike.
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { Badge } from "../badges";
import { formatCount } from "../format";
import { PanTools } from "../pan";
import type { Camera, MapCanvas, Place } from "./canvas";
import { colorPoints, findShown, type Legend, makeLegend, titleOf } from "./colors";
import { CosmosCanvas } from "./cosmos";
import { type Community, nameOf, Points, Texts, type Theme } from "./data";
import { Grid } from "./grid";
import { type Label, placeLabels } from "./labels";
import { Lasso, Marks } from "./marks";
import { Panel } from "./panel";
import { savePng, saveSvg, type Scene } from "./picture";
import { findInside, simplify } from "./polygon";
import { SearchField } from "./search";
import type { Found, Source } from "./source";
import { type Choice, orderLevels, readCamera, readChoice, writeAddress } from "./state";
import { PaperTable } from "./table";
import { WorkLink } from "../works";
import "./map.css";

const PAUSE_MS = 250;
const STEP = 1.5;
const STRIDE = 0.15;
const FLIGHT_MS = 400;
const CLOSE_ZOOM = 5;
// More rings would cover each other.
const MOST_RINGS = 60;
const SIZES = [0.85, 1, 1.35, 1.9];

interface Props {
  source: Source;
  // after the first picture
  onReady?: () => void;
  // there is no map
  onEmpty?: () => void;
}

export function MapView({ source, onReady, onEmpty }: Props) {
  const [points, setPoints] = useState<Points | null>(null);
  const [texts, setTexts] = useState<Texts | null>(null);
  const [message, setMessage] = useState("");
  const host = useMemo(() => {
    const own = document.createElement("div");
    own.className = "map-canvas";
    return own;
  }, []);
  const [canvas, setCanvas] = useState<MapCanvas | null>(null);
  const [hasFailed, setFailed] = useState(typeof WebGL2RenderingContext === "undefined");

  // The canvas prepares itself while the points are read. Effects that the first picture waits for
  // do not wait for a frame.
  useLayoutEffect(() => {
    if (hasFailed) return;
    const own = new CosmosCanvas(host, groundOf(host));
    setCanvas(own);
    own.loaded.catch(() => {
      setCanvas(null);
      setFailed(true);
    });
    return () => own.destroy();
  }, []);
  useLayoutEffect(() => {
    source.readPoints()
      .then((buffer) => (buffer.byteLength ? setPoints(new Points(buffer)) : onEmpty?.()))
      .catch((error) => setMessage(`The map cannot be read: ${error.message}`));
  }, [source]);
  const finish = () => {
    onReady?.();
    source.readTexts()
      .then((buffer) => setTexts(new Texts(buffer)))
      .catch((error) => setMessage(`The titles cannot be read: ${error.message}`));
  };

  if (message) return <p class="error" role="alert">{message}</p>;
  if (points) return <Shown {...{ points, texts, source, host, canvas, hasFailed }} onReady={finish} />;
  return (
    <div class="map-page">
      <p>Reading the map…</p>
      <figure class="map-figure"><div class="map-frame"><Holder host={host} /></div></figure>
    </div>
  );
}

// The element of the canvas, which outlives what is rendered around it.
function Holder({ host }: { host: HTMLDivElement }) {
  return <div class="map-holder" ref={(own) => own?.append(host)} />;
}

interface ShownProps {
  host: HTMLDivElement;
  canvas: MapCanvas | null;
  hasFailed: boolean;
  points: Points;
  texts: Texts | null;
  source: Source;
  onReady: () => void;
}

function Shown({ points, texts, source, host, canvas, hasFailed, onReady }: ShownProps) {
  const [choice, setChoice] = useState<Choice>(() => readChoice(source.readAddress(), points));
  const [found, setFound] = useState<Found | null>(null);
  const [hover, setHover] = useState<{ row: number; pixel: Place } | null>(null);
  const [isDrawing, setDrawing] = useState(false);
  const [opened, setOpened] = useState(-1);
  const [notice, setNotice] = useState("");
  const theme = useTheme();
  const field = useRef<HTMLInputElement>(null);
  const grid = useMemo(() => new Grid(points.places), [points]);
  const [view, setView] = useState(0);
  const isWhole = useRef(!readCamera(source.readAddress()));
  const first = orderLevels(points)[0]!;

  const shown = useMemo(() => findShown(points, choice), [points, choice.color, choice.only, choice.years]);
  const selected = useMemo(() => findSelected(points, choice, shown), [points, choice.selection, shown]);
  const highlighted = useMemo(() => mark(points.count, selected ?? found?.rows ?? null), [selected, found]);
  const legend = useMemo(() => makeLegend(points, choice.color, theme), [points, choice.color, theme]);
  const colors = useMemo(
    () => colorPoints(points, choice.color, theme, shown, highlighted), [points, choice.color, theme, shown, highlighted],
  );

  const visible = useMemo(() => {
    grid.setVisible((row) => shown[row] === 1);
    return { count: grid.count.bind(grid) };
  }, [grid, shown]);

  // --- drawing
  useLayoutEffect(() => {
    const finish = () => {
      document.body.dataset["ready"] = "map";
      onReady();
    };
    if (hasFailed) finish();
    if (!canvas) return;
    canvas.setPoints(points.places, diametersOf(points), grid);
    void canvas.loaded.then(() => canvas.setCamera(readCamera(source.readAddress()) ?? canvas.fit(points.box)));
    canvas.onMove(() => setView((count) => count + 1));
    canvas.onHover((row, pixel) => setHover(row < 0 ? null : { row, pixel }));
    void canvas.ready.then(finish);
  }, [canvas, hasFailed]);
  useLayoutEffect(() => {
    canvas?.setColors(colors);
  }, [canvas, colors]);
  useEffect(() => {
    canvas?.setGround(groundOf(host));
  }, [canvas, theme]);
  const click = useRef((_: number) => {});
  click.current = (row) => {
    if (row < 0) return;
    if (source.paperAddress && texts) location.href = source.paperAddress(texts.get("id", row));
    else setOpened(row);
  };
  useEffect(() => canvas?.onClick((row) => click.current(row)), [canvas]);
  useEffect(() => {
    if (texts) document.body.dataset["texts"] = "read";
  }, [texts]);

  const labelLevel = points.header.overlays.some(({ name }) => name === choice.color) ? points.header.level : choice.color;
  const own = choice.selection && "community" in choice.selection ? choice.selection.community : "";
  const labels = useMemo(
    () => canvas ? placeLabels(points.level(labelLevel).communities, canvas, visible, points.header.least, own) : [],
    [canvas, visible, labelLevel, own, view],
  );

  // --- address
  useEffect(() => {
    const timer = setTimeout(() => {
      const camera = canvas && !isWhole.current ? canvas.camera : null;
      source.writeAddress(writeAddress(choice, camera, source.run, first));
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [choice, view, canvas]);

  // --- search
  useEffect(() => {
    if (!texts || choice.q.trim().length < 2) {
      setFound(null);
      return;
    }
    const now = new AbortController();
    setFound(null);
    const timer = setTimeout(() => {
      source.search(choice.q, points, texts, now.signal)
        .then(setFound)
        .catch((error) => {
          if (!now.signal.aborted) setFound({ rows: [], error: error instanceof Error ? error.message : "No answer." });
        });
    }, 120);
    return () => {
      clearTimeout(timer);
      now.abort();
    };
  }, [choice.q, texts]);

  // --- moving
  const move = useCallback((camera: Camera, milliseconds = 0) => {
    isWhole.current = false;
    canvas?.setCamera(camera, milliseconds);
  }, [canvas]);
  const pointAt = useCallback((row: number) => {
    if (row < 0 || !canvas) return setHover(null);
    setHover({ row, pixel: canvas.toScreen([points.places[2 * row]!, points.places[2 * row + 1]!]) });
  }, [canvas, points]);
  const flyTo = useCallback((row: number) => {
    if (!canvas) return;
    const [x, y] = [points.places[2 * row]!, points.places[2 * row + 1]!];
    move({ x, y, zoom: Math.max(canvas.camera.zoom, CLOSE_ZOOM) }, FLIGHT_MS);
    setHover({ row, pixel: [canvas.width / 2, canvas.height / 2] });
  }, [canvas, points, move]);
  const selectCommunity = useCallback((community: string) => setChoice((now) => ({ ...now, selection: { community } })), []);
  const zoomBy = (factor: number) => canvas && move({ ...canvas.camera, zoom: canvas.camera.zoom * factor });
  const select = (polygon: Place[]) => {
    const corners = simplify(polygon);
    if (corners.length > 2) setChoice({ ...choice, selection: { polygon: corners } });
  };
  // The lasso of the keyboard: keys move and zoom the view.
  const selectView = () => {
    if (!canvas) return;
    const { width, height } = canvas;
    const corners: Place[] = [[0, 0], [width, 0], [width, height], [0, height]];
    select(corners.map((corner) => canvas.toMap(corner)));
  };
  const showAll = () => {
    canvas?.setCamera(canvas.fit(points.box), FLIGHT_MS);
    isWhole.current = true;
  };
  useEffect(() => {
    const touch = () => (isWhole.current = false);
    host.addEventListener("wheel", touch, { passive: true });
    host.addEventListener("pointerdown", touch);
  }, []);

  const clear = () => {
    if (isDrawing) setDrawing(false);
    else if (choice.selection) setChoice({ ...choice, selection: null });
    else if (choice.only.length || choice.years) setChoice({ ...choice, only: [], years: null });
    else setChoice({ ...choice, q: "" });
    setHover(null);
    setOpened(-1);
  };
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      const isField = target.matches("input:not([type=range]), select, textarea");
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "Escape") clear();
      else if (event.key === "/" && !isField) {
        event.preventDefault();
        field.current?.focus();
      }
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  });
  const onKeyDown = (event: KeyboardEvent) => {
    if (!canvas || event.ctrlKey || event.metaKey || event.altKey) return;
    const camera = canvas.camera;
    const [corner, other] = [canvas.toMap([0, 0]), canvas.toMap([canvas.width, canvas.height])];
    const [dx, dy] = [STRIDE * (other[0] - corner[0]), STRIDE * (other[1] - corner[1])];
    const moves: Record<string, () => void> = {
      arrowleft: () => move({ ...camera, x: camera.x - dx }),
      arrowright: () => move({ ...camera, x: camera.x + dx }),
      arrowup: () => move({ ...camera, y: camera.y - dy }),
      arrowdown: () => move({ ...camera, y: camera.y + dy }),
      "+": () => zoomBy(STEP),
      "=": () => zoomBy(STEP),
      "-": () => zoomBy(1 / STEP),
      0: showAll,
      s: selectView,
    };
    const action = moves[event.key.toLowerCase()];
    if (!action) return;
    event.preventDefault();
    action();
  };

  const rows = useMemo(
    () => selected ?? (found ? found.rows.filter((row) => shown[row]).sort((a, b) => b - a) : listShown(shown)),
    [selected, found, shown],
  );
  const scene = (): Scene | null => canvas && {
    canvas, points, colors, labels, legend, theme,
    radius: radiusOf(points) * canvas.magnification, title: `Papers by ${titleOf(points, choice.color)}`,
    footer: `${formatCount(rows.length, "paper")} · ${points.header.run}`,
  };
  const rings = [...(found && found.rows.length <= MOST_RINGS ? found.rows : []), ...(opened >= 0 ? [opened] : [])];

  return (
    <div class="map-page">
      <Panel points={points} choice={choice} legend={legend} levels={orderLevels(points)} onChange={setChoice} />
      <figure class="map-figure">
        <div
          class="map-frame" tabIndex={0} role="application" aria-label={`Map of ${formatCount(points.count, "paper")}`}
          aria-describedby="map-keys" onKeyDown={onKeyDown}
        >
          <Holder host={host} />
          {canvas && (
            <Marks
              canvas={canvas} points={points} labels={labels} own={own} rings={rings.filter((row) => shown[row])}
              hover={hover ? hover.row : -1} radius={radiusOf(points) * canvas.magnification}
              polygon={choice.selection && "polygon" in choice.selection ? choice.selection.polygon : null}
            />
          )}
          {canvas && isDrawing && (
            <Lasso
              canvas={canvas}
              onDone={(polygon) => {
                setDrawing(false);
                select(polygon);
              }}
            />
          )}
          {hover && canvas && !isDrawing && <Card hover={hover} canvas={canvas} points={points} texts={texts} />}
          {hasFailed && (
            <p class="map-notice" role="alert">
              This browser has no WebGL2, so that the map is not drawn. Search, legend and table work
              without it.
            </p>
          )}
        </div>
        {!hasFailed && (
          <PanTools step={STEP} onZoom={zoomBy} onWhole={showAll}>
            <button aria-pressed={isDrawing} onClick={() => setDrawing(!isDrawing)} title="Draw around papers to select them">Lasso</button>
            <button onClick={selectView} title="Select the papers in view (S)">In view</button>
            <button onClick={() => { const own = scene(); if (own) savePng(own); }}>PNG</button>
            <button onClick={() => { const own = scene(); if (own) setNotice(saveSvg(own)); }}>SVG</button>
          </PanTools>
        )}
        {notice && <p class="error" role="alert">{notice}</p>}
        <figcaption id="map-keys">
          Papers with similar texts are near each other. {points.header.weight === "none"
            ? "All dots have one size: the graph has no citations between these papers."
            : `Larger dots receive more ${points.header.weight}.`}{" "}
          Arrow keys move the map, + and − zoom, 0 shows all, S selects the papers in view, / searches, Escape clears.
          An entry of the legend, or a community in the table, selects its papers.
        </figcaption>
      </figure>
      <aside class="map-side" aria-label="Papers">
        <SearchField
          field={field} choice={choice} found={found} points={points} texts={texts} shown={shown}
          onChange={setChoice} onFly={flyTo}
        />
        {opened >= 0 && texts && <Opened row={opened} points={points} texts={texts} onClose={() => setOpened(-1)} />}
        <PaperTable
          points={points} texts={texts} rows={rows} source={source} choice={choice}
          whole={points.count} isSelected={selected !== null} found={found}
          onCommunity={selectCommunity}
          onClear={() => setChoice({ ...choice, selection: null })}
          onPoint={pointAt} onFly={flyTo}
        />
      </aside>
    </div>
  );
}

// The theme of the system, or the one that a reader chose (`data-theme`).
function useTheme(): Theme {
  const dark = useMemo(() => matchMedia("(prefers-color-scheme: dark)"), []);
  const read = (): Theme => {
    const scheme = getComputedStyle(document.documentElement).colorScheme;
    return scheme === "dark" || (scheme !== "light" && dark.matches) ? "dark" : "light";
  };
  const [theme, setTheme] = useState<Theme>(read);
  useEffect(() => {
    const onChange = () => setTheme(read());
    const observer = new MutationObserver(onChange);
    observer.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    dark.addEventListener("change", onChange);
    onChange();
    return () => {
      observer.disconnect();
      dark.removeEventListener("change", onChange);
    };
  }, [dark]);
  return theme;
}

// Pixels: small for many papers.
export const radiusOf = (points: Points): number => Math.max(1.1, 8 - 1.45 * Math.log10(points.count + 1));

const diametersOf = (points: Points): Float32Array => {
  const radius = radiusOf(points);
  return Float32Array.from(points.size, (size) => 2 * radius * SIZES[size]!);
};

// The ground of the frame as a plain color, which the library can read.
const groundOf = (host: HTMLElement): string =>
  getComputedStyle(host.closest(".map-frame") ?? document.documentElement).backgroundColor;

function findSelected(points: Points, { selection }: Choice, shown: Uint8Array): number[] | null {
  if (!selection) return null;
  if ("polygon" in selection) return findInside(selection.polygon, points.places, (row) => shown[row] === 1).reverse();
  for (const level of points.header.levels) {
    const place = level.communities.findIndex(({ name }) => name === selection.community);
    if (place < 0) continue;
    const members = points.members(level.name);
    return listShown(shown).filter((row) => members[row] === place);
  }
  return null;
}

// Rows that are shown, those with the most importance received first.
function listShown(shown: Uint8Array): number[] {
  const rows: number[] = [];
  for (let row = shown.length - 1; row >= 0; row--) if (shown[row]) rows.push(row);
  return rows;
}

function mark(count: number, rows: number[] | null): Uint8Array | null {
  if (!rows) return null;
  const marked = new Uint8Array(count);
  for (const row of rows) marked[row] = 1;
  return marked;
}

export function formatReceived(points: Points, row: number): string {
  const value = points.received[row]!;
  return value.toLocaleString("en", { maximumFractionDigits: Number.isInteger(value) || value >= 1000 ? 0 : 2 });
}

interface CardProps {
  hover: { row: number; pixel: Place };
  canvas: MapCanvas;
  points: Points;
  texts: Texts | null;
}

function Card({ hover, canvas, points, texts }: CardProps) {
  const { row } = hover;
  const [x, y] = canvas.toScreen([points.places[2 * row]!, points.places[2 * row + 1]!]);
  const isRight = x > canvas.width / 2;
  const isLow = y > canvas.height / 2;
  return (
    <div
      class={`map-card ${isRight ? "left" : "right"} ${isLow ? "above" : "below"}`} role="status"
      style={{ left: `${x}px`, top: `${y}px` }}
    >
      <b>{texts ? texts.title(row) : "Reading titles…"} <Badge work={texts?.notice(row)} /></b>
      <span>{[points.year[row] || "", texts?.get("venue", row)].filter(Boolean).join(" · ")}</span>
      <Described points={points} row={row} />
    </div>
  );
}

function Described({ points, row }: { points: Points; row: number }) {
  const community: Community | undefined = points.community(row, orderLevels(points)[0]);
  const { weight } = points.header;
  return (
    <>
      {community && <span>{nameOf(community)}</span>}
      {weight !== "none" && (
        <span>{weight} received {formatReceived(points, row)}, cited by {points.cited[row]!.toLocaleString("en")}</span>
      )}
    </>
  );
}

interface OpenedProps {
  row: number;
  points: Points;
  texts: Texts;
  onClose: () => void;
}

// A paper on a page without an explorer.
function Opened({ row, points, texts, onClose }: OpenedProps) {
  const id = texts.get("id", row);
  return (
    <section class="card map-opened" aria-label="Paper">
      <button class="close" onClick={onClose} aria-label="Close the paper">×</button>
      <h2 dir="auto">{texts.title(row)} <Badge work={texts.notice(row)} /></h2>
      <p class="map-facts">
        <span>{[points.year[row] || "", texts.get("venue", row)].filter(Boolean).join(" · ")}</span>
        <Described points={points} row={row} />
        <WorkLink id={id} />
      </p>
    </section>
  );
}

export type { Label, Legend };

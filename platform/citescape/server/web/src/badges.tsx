// Marks of retracted and corrected works: badges in text, shapes in the network.
import {
  type CitedNotice, isRetracted, nameNotice, nameTiming, type Noted, type NoticeState, type Timing,
} from "./notices";
import { WorkLink } from "./works";
import "./badges.css";

const kindOf = (state: NoticeState): string => (state === "partly retracted" ? "retracted" : state);

export function Badge({ work, timing }: { work: Noted | undefined; timing?: Timing | null }) {
  if (!work?.notice) return null;
  return (
    <span class={`badge badge-${kindOf(work.notice)}`}>
      {nameNotice(work)}{timing ? `; ${nameTiming(work, timing)}` : ""}
    </span>
  );
}

// The badge with a link to the notice, for the title of a page.
export function NoticeLine({ work }: { work: Noted }) {
  if (!work.notice) return null;
  return (
    <p class="notice">
      <Badge work={work} />{" "}
      {work.notice_doi ? <>notice: <WorkLink id={`doi:${work.notice_doi}`}>{work.notice_doi}</WorkLink></> : "The DOI of the notice is unknown."}
    </p>
  );
}

// On the card of a citation: the state of the cited work; how and when it is cited.
export function NoticeCard({ notice }: { notice: CitedNotice | null | undefined }) {
  if (!notice) return null;
  const late = notice.timing === "after" ? " late" : "";
  return (
    <div class={`notice-card badge-${kindOf(notice.state)}${late}`} role="note">
      <p>{sentence(notice.sentence)} {notice.doi && <>Notice: <WorkLink id={`doi:${notice.doi}`}>{notice.doi}</WorkLink></>}</p>
      <p><b>{sentence(notice.citation)}</b></p>
    </div>
  );
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

// On a paper of the network: crossed out, a triangle, or a square, as the legend says.
export function NodeMark({ work, x, y, radius }: { work: Noted; x: number; y: number; radius: number }) {
  if (!work.notice) return null;
  const r = radius + 3;
  const shapes: Record<string, string> = {
    retracted: `M${x - r} ${y - r} L${x + r} ${y + r} M${x + r} ${y - r} L${x - r} ${y + r}`,
    concern: `M${x} ${y - r - 3} L${x + r + 2} ${y + r} L${x - r - 2} ${y + r} Z`,
  };
  const square = `M${x - r} ${y - r} H${x + r} V${y + r} H${x - r} Z`;
  const kind = kindOf(work.notice);
  return (
    <path class={`mark mark-${kind}`} d={shapes[kind] ?? square}>
      <title>{nameNotice(work)}</title>
    </path>
  );
}

// On an arrow to a retracted work: a diamond in its middle if the citation is later than the notice.
export function EdgeMark({ work, timing, path }: { work: Noted | undefined; timing?: Timing | null; path: string }) {
  if (!work || timing !== "after" || !isRetracted(work)) return null;
  const [ax = 0, ay = 0, bx = 0, by = 0, cx = 0, cy = 0] = (path.match(/-?[\d.]+/g) ?? []).map(Number);
  const [x, y] = [ax / 4 + bx / 2 + cx / 4, ay / 4 + by / 2 + cy / 4];
  return (
    <path class="mark mark-late" d={`M${x} ${y - 7} L${x + 7} ${y} L${x} ${y + 7} L${x - 7} ${y} Z`}>
      <title>{nameTiming(work, timing)}</title>
    </path>
  );
}

// The part of the legend on marks that the network has.
export function MarkLegend({ works, timings }: { works: Noted[]; timings: (Timing | null | undefined)[] }) {
  const has = (state: NoticeState) => works.some((work) => work.notice === state);
  const texts = [
    works.some(isRetracted) && "crossed out: retracted",
    has("concern") && "triangle: expression of concern",
    (has("corrected") || has("reinstated")) && "square: corrected or reinstated",
    works.some(isRetracted) && timings.includes("after") && "diamond on an arrow: cites after the retraction",
  ].filter(Boolean);
  return texts.length ? <> Marks: {texts.join("; ")}.</> : null;
}

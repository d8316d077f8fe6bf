// Retractions and corrections of works, as the steps of the server give them.

export interface Noted {
  notice?: NoticeState | null;
  notice_date?: string | null;
  notice_year?: number | null;
  notice_doi?: string | null;
}

export type NoticeState = "retracted" | "partly retracted" | "concern" | "corrected" | "reinstated";

// A citation before or after the notice about the cited work; `notice`: the citing paper is the notice.
export type Timing = "before" | "after" | "same" | "unknown" | "notice";

export interface CitedNotice {
  state: NoticeState;
  doi: string | null;
  timing: Timing;
  sentence: string;
  citation: string;
}

const EVENTS: Record<NoticeState, string> = {
  retracted: "retraction",
  "partly retracted": "partial retraction",
  concern: "expression of concern",
  corrected: "correction",
  reinstated: "reinstatement",
};

export const isRetracted = (work: Noted | undefined): boolean =>
  work?.notice === "retracted" || work?.notice === "partly retracted";

// `retracted 2017`, `expression of concern 2016`
export function nameNotice(work: Noted | undefined): string {
  if (!work?.notice) return "";
  const name = work.notice === "concern" ? EVENTS.concern : work.notice;
  return work.notice_year ? `${name} ${work.notice_year}` : name;
}

// `cited after the retraction`
export function nameTiming(work: Noted, timing: Timing | null | undefined): string {
  if (!work.notice || !timing) return "";
  const event = EVENTS[work.notice];
  const shared = (work.notice_date ?? "").length > 4 ? "at the time" : "in the year";
  return {
    before: `cited before the ${event}`,
    after: `cited after the ${event}`,
    same: `cited ${shared} of the ${event}`,
    unknown: `cited before or after the ${event}: unknown`,
    notice: "cited by a notice about it",
  }[timing];
}

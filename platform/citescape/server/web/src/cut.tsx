// How many rows of all are shown, with a button for more; nothing if that is all of them.
import { formatCount } from "./format";

// Rows that the server gives at most: `MOST` in calls.py.
export const MOST_ROWS = 5_000;

// What a button for more does: up to `next` rows; nothing at the limit of the server.
export function raise(limit: number, next: number, setLimit: (limit: number) => void): (() => void) | undefined {
  return limit < MOST_ROWS ? () => setLimit(Math.min(next, MOST_ROWS)) : undefined;
}

interface Props {
  shown: number;
  // number of all rows; missing where it is not known
  all?: number | null | undefined;
  // rows that were requested at most, to see a cut where `all` is missing
  limit?: number;
  one: string;
  many?: string;
  label?: string;
  onMore: (() => void) | undefined;
}

export function Cut({ shown, all, limit, one, many = `${one}s`, label = "Show more", onMore }: Props) {
  const isCut = all === null || all === undefined ? shown === limit : shown < all;
  if (!isCut) return null;
  return (
    <>
      The first {shown.toLocaleString("en")}{all ? ` of ${formatCount(all, one, many)}` : ` ${many}`}.{" "}
      {onMore ? <button type="button" onClick={onMore}>{label}</button> : "A page lists no more."}
    </>
  );
}

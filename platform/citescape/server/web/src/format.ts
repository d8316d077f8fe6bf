// Numbers and names as the command line prints them.

export const formatScore = (score: number | null): string =>
  score === null ? "not scored" : score.toFixed(4);

export const formatCount = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString("en")} ${count === 1 ? one : many}`;

export const formatShare = (share: number | null): string =>
  share === null ? "–" : `${(100 * share).toFixed(1)}%`;

export const formatTime = (time: Date): string =>
  time.toLocaleString("en", { dateStyle: "medium", timeStyle: "short" });

export function shortName(paper: { surnames?: string[] | null; year: number | null; id: string }): string {
  const names = paper.surnames ?? [];
  const first = names[0] ?? paper.id;
  const others = names.length > 2 ? " et al." : names.length === 2 ? ` & ${names[1]}` : "";
  return `${first}${others}${paper.year ? ` ${paper.year}` : ""}`;
}

// Spreadsheets run cells that begin like a formula: such text gets an apostrophe.
export function toCsv(header: string[], rows: (string | number | null)[][]): string {
  const cell = (value: string | number | null): string => {
    if (value === null) return "";
    if (typeof value === "number") return String(value);
    const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
    return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  return [header, ...rows].map((row) => row.map(cell).join(",")).join("\r\n") + "\r\n";
}

export function download(name: string, content: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

// Whether a click or a key adds to a selection.
export const isAdding = (event: MouseEvent | KeyboardEvent): boolean =>
  event.ctrlKey || event.metaKey || event.shiftKey;

// The map whose data are in the page itself.
import { type Source, searchTitles } from "./source";

async function unpack(element: Element | null): Promise<ArrayBuffer> {
  const packed = Uint8Array.from(atob(element?.textContent ?? ""), (letter) => letter.charCodeAt(0));
  const plain = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(plain).arrayBuffer();
}

const points = document.getElementById("points");

// Null if the page has no data.
export const embedded: Source | null = points && {
  run: "",
  readPoints: () => unpack(points),
  readTexts: () => unpack(document.getElementById("texts")),
  search: async (text, points, texts) => searchTitles(text, points, texts),
  readAddress: () => new URLSearchParams(location.hash.slice(1)),
  writeAddress: (text) => history.replaceState(null, "", text ? `#${text}` : location.pathname + location.search),
};

// The page of `platform map`: the map of the explorer in one file, with its data.
import { render } from "preact";
import { type Source, searchTitles } from "./map/source";
import { MapView } from "./map/view";
import "./site.css";

async function unpack(id: string): Promise<ArrayBuffer> {
  const text = atob(document.getElementById(id)?.textContent ?? "");
  const packed = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
  const plain = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(plain).arrayBuffer();
}

const source: Source = {
  run: "",
  readPoints: () => unpack("points"),
  readTexts: () => unpack("texts"),
  search: async (text, points, texts) => searchTitles(text, points, texts),
  readAddress: () => new URLSearchParams(location.hash.slice(1)),
  writeAddress: (text) => history.replaceState(null, "", text ? `#${text}` : location.pathname + location.search),
};

const root = document.getElementById("page");
if (root) {
  render(<main><h1>{document.title}</h1><MapView source={source} /></main>, root);
}

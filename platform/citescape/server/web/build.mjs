// Bundles one script per page of the explorer, and that of the notebook: `npm ci && npm run build`.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";

const PAGES = ["home", "paper", "related", "check", "map", "communities", "recommend", "cypher"];
const STATIC = "../../static";
const common = {
  outdir: STATIC,
  format: "esm",
  legalComments: "eof",
  bundle: true,
  minify: true,
  target: "es2022",
  jsx: "automatic",
  jsxImportSource: "preact",
  metafile: true,
  loader: { ".css": "css" },
};

// Names and licences of the libraries in a bundle.
function readLicences({ inputs }) {
  const folders = Object.keys(inputs).map((path) => /^node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0]);
  return [...new Set(folders.filter(Boolean))].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const file = readdirSync(folder).find((own) => /^licen[cs]e/i.test(own));
    const text = file && existsSync(join(folder, file)) ? readFileSync(join(folder, file), "utf8").trim() : "";
    return `${name} ${version} (${license})\n\n${text}\n`;
  }).join(`\n${"-".repeat(72)}\n\n`);
}

const pages = await build({
  ...common,
  entryPoints: PAGES.map((page) => `src/${page}.tsx`),
});
writeFileSync(`${STATIC}/licences.txt`, readLicences(pages.metafile));
// Those of the page that `platform map` writes.
writeFileSync(`${STATIC}/map.licences.txt`, readLicences(pages.metafile.outputs[`${STATIC}/map.js`]));

// Styles of the pages within the widget only: rules of the page become rules of its root.
const scoped = {
  name: "scoped",
  setup: ({ onLoad }) =>
    onLoad({ filter: /\.css$/ }, async ({ path }) => {
      const text = await readFile(path, "utf8");
      const rules = text.replaceAll(":root", "&").replace(/^body\b/gm, "&");
      return { contents: `.citescape-widget {\n${rules}}\n`, loader: "css" };
    }),
};
await build({
  ...common,
  entryPoints: ["src/widget.tsx"],
  target: ["es2022", "chrome105", "firefox110", "safari16"], // nested rules become plain ones
  plugins: [scoped],
});

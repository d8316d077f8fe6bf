// Bundles one script per page into ../static, and that of the notebook: `npm ci && npm run build`.
import { readFile } from "node:fs/promises";
import { build } from "esbuild";

const common = {
  outdir: "../static",
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  jsx: "automatic",
  jsxImportSource: "preact",
  legalComments: "linked",
  loader: { ".css": "css" },
};

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
  entryPoints: ["home", "paper", "communities", "recommend", "related", "check", "cypher"].map((page) => `src/${page}.tsx`),
});
await build({
  ...common,
  entryPoints: ["src/widget.tsx"],
  target: ["es2022", "chrome105", "firefox110", "safari16"], // nested rules become plain ones
  plugins: [scoped],
});

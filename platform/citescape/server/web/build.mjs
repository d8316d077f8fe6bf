// Bundles one script per page into ../static: `npm ci && npm run build`.
import { build } from "esbuild";

await build({
  entryPoints: ["home", "paper", "communities", "recommend", "related", "check"].map((page) => `src/${page}.tsx`),
  outdir: "../static",
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  jsx: "automatic",
  jsxImportSource: "preact",
  legalComments: "linked",
  loader: { ".css": "css" },
});

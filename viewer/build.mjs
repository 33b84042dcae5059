// Bundles the scripts into the Python package. The first line carries the fingerprint the build hook compares.
import { build } from "esbuild";

await build({
  entryPoints: { viewer: "src/main.ts", pages: "src/pages.ts" },
  outdir: "../src/fettle/app/static",
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  legalComments: "eof",
  banner: { js: process.env.FETTLE_VIEWER_MARK ?? "/* fettle viewer, built by hand */" },
});

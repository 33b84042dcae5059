// Bundles the viewer into the Python package. The first line carries the fingerprint the build hook compares.
import { build } from "esbuild";

await build({
  entryPoints: ["src/main.ts"],
  outfile: "../src/fettle/web/static/viewer.js",
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  legalComments: "eof",
  banner: { js: process.env.FETTLE_VIEWER_MARK ?? "/* fettle viewer, built by hand */" },
});

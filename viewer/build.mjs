// Bundles the scripts into the Python package. The first line carries the fingerprint the build hook compares.
import { readFile } from "node:fs/promises";
import { build } from "esbuild";

const mark = process.env.FETTLE_VIEWER_MARK ?? "/* fettle viewer, built by hand */";
const options = {
  outdir: "../src/fettle/app/static",
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  legalComments: "eof",
  banner: { js: mark, css: mark },
};
await build({ ...options, entryPoints: { viewer: "src/main.ts", pages: "src/pages.ts" } });

// Swagger UI comes minified, with its notices in files of their own.
const swagger = "node_modules/swagger-ui-dist";
const notice = await readFile(`${swagger}/NOTICE`, "utf8");
const licenses = await readFile(`${swagger}/swagger-ui-es-bundle.js.LICENSE.txt`, "utf8");
await build({
  ...options,
  entryPoints: [
    { in: "src/reference.ts", out: "reference" },
    { in: "src/reference.css", out: "reference" },
  ],
  footer: { js: `/*!\n${notice.trim()} (Apache-2.0)\n*/\n${licenses}` },
});

/**
 * How the page is built: one entry, hashed assets, no inline script, so that a strict CSP holds. The
 * viewer of exported files is built first, as one script and one style, and is part of the page as text.
 */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import tailwind from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { build, defineConfig, type Plugin } from "vite";

const root = fileURLToPath(new URL(".", import.meta.url));
const resolve = { conditions: ["callboard-source", "module", "browser", "production"] };

export default defineConfig({
  root,
  plugins: [react(), tailwind(), withoutJsonSchema(), viewerAsText()],
  resolve,
  build: {
    outDir: "dist",
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    target: "es2023",
    chunkSizeWarningLimit: 2_000,
    rolldownOptions: { checks: { pluginTimings: false } },
  },
});

/** `virtual:viewer` is the built viewer: `{ script, style }`. */
function viewerAsText(): Plugin {
  const name = "virtual:viewer";
  const id = `\0${name}`;
  return {
    name: "callboard-viewer",
    resolveId: (source) => (source === name ? id : undefined),
    async load(source) {
      if (source !== id) return undefined;
      return `export default ${JSON.stringify(await builtViewer())};`;
    },
  };
}

async function builtViewer(): Promise<{ readonly script: string; readonly style: string }> {
  const built = await build({
    root,
    configFile: false,
    logLevel: "error",
    plugins: [react(), tailwind(), withoutJsonSchema(), plainCode()],
    resolve,
    build: {
      write: false,
      target: "es2023",
      cssCodeSplit: false,
      modulePreload: false,
      rolldownOptions: {
        input: fileURLToPath(new URL("viewer.html", import.meta.url)),
        output: { codeSplitting: false },
      },
    },
  });
  const outputs = (Array.isArray(built) ? built : [built]).flatMap((one) =>
    "output" in one ? one.output : [],
  );
  const script = outputs.find((one) => one.type === "chunk");
  const style = outputs.find((one) => one.type === "asset" && one.fileName.endsWith(".css"));
  if (script?.type !== "chunk" || style?.type !== "asset")
    throw new Error("the viewer has no script or no style");
  return { script: script.code, style: String(style.source) };
}

/** An exported file does without the grammars of languages. */
function plainCode(): Plugin {
  const plain = fileURLToPath(new URL("src/viewer/PlainCode.tsx", import.meta.url));
  return {
    name: "callboard-plain-code",
    enforce: "pre",
    resolveId: (source) => (source === "./Code.js" ? plain : undefined),
  };
}

/** Every schema can describe itself as JSON Schema, which no page uses: that part is removed. */
function withoutJsonSchema(): Plugin {
  const absent = '() => () => { throw new Error("this page makes no JSON Schema"); }';
  return {
    name: "callboard-without-json-schema",
    enforce: "pre",
    async load(id) {
      if (!/zod\/v4\/core\/(to-json-schema|json-schema-processors)\.js$/.test(id)) return undefined;
      const names = [
        ...(await readFile(id, "utf8")).matchAll(/^export (?:const|function) (\w+)/gm),
      ];
      return names.map(([, name]) => `export const ${name} = ${absent};`).join("\n");
    },
  };
}

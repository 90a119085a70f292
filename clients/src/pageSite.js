/**
 * The pages of the clients: each is bundled with the versions that it is to be tried with, and served from an
 * origin of its own, as the page of another application would be.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const folder = fileURLToPath(new URL(".", import.meta.url));
const modules = fileURLToPath(new URL("../node_modules", import.meta.url));

/**
 * @typedef {object} PageSource
 * @property {string} file under `pages/`
 * @property {Readonly<Record<string, string>>} [packages] what the page imports under `#` names
 * @property {Readonly<Record<string, string>>} [constants]
 * @property {18 | 19} react
 */

/** @param {PageSource} source */
async function bundled({ file, packages = {}, constants = {}, react }) {
  const reactPackages = react === 19 ? ["react", "react-dom"] : ["react-18", "react-dom-18"];
  const alias = {
    react: `${modules}/${reactPackages[0]}`,
    "react-dom": `${modules}/${reactPackages[1]}`,
    ...Object.fromEntries(
      Object.entries(packages).map(([name, target]) => [name, `${modules}/${target}`]),
    ),
  };
  const { outputFiles } = await build({
    entryPoints: [`${folder}pages/${file}`],
    bundle: true,
    write: false,
    format: "esm",
    platform: "browser",
    target: "es2022",
    jsx: "automatic",
    outdir: "/",
    loader: { ".js": "jsx", ".woff": "empty", ".woff2": "empty", ".ttf": "empty" },
    define: { "process.env.NODE_ENV": '"production"', ...constants },
    alias,
    logLevel: "error",
  });
  return outputFiles.find(({ path }) => path.endsWith(".js"))?.text ?? "";
}

/** Starts an origin that shows the pages that are added to it. */
export async function startPageSite() {
  /** @type {Map<string, string>} */
  const scripts = new Map();
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://page");
    const script = scripts.get(pathname.slice(1).replace(/\.js$/, ""));
    if (script === undefined) response.writeHead(404).end();
    else if (pathname.endsWith(".js")) {
      response.writeHead(200, { "content-type": "text/javascript" }).end(script);
    } else {
      response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
      response.end(
        `<!doctype html><title>client</title><script type="module" src="${pathname}.js"></script>`,
      );
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : "";
  return {
    origin: `http://127.0.0.1:${port}`,
    /**
     * @param {string} name
     * @param {PageSource} source
     */
    async add(name, source) {
      scripts.set(name, await bundled(source));
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

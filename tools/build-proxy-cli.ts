/** `npm run build` makes the proxy's bundle of what was compiled. */
import { fileURLToPath } from "node:url";
import { writeProxyBundle } from "./proxyBundle.js";

await writeProxyBundle(fileURLToPath(new URL("../../..", import.meta.url)));

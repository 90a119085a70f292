/** A browser and the real server, for tests of the page. */
export { type Chromium, findChromium } from "../programs/chromium.js";
export { type SpawnedPageServer, spawnPageServer } from "./spawnPageServer.js";
export { type PageServer, type PageServerOptions, startPageServer } from "./startPageServer.js";

/** What tests of the page stand on: a browser and the real server. */
export { type Chromium, findChromium } from "../programs/chromium.js";
export { type SpawnedPageServer, spawnPageServer } from "./spawnPageServer.js";
export { type PageServer, type PageServerOptions, startPageServer } from "./startPageServer.js";

/** `open-cli.js <folder>`: opens the store there, once, and says how long that took. */
import { openStore } from "../../../packages/store/dist/index.js";
import { quiet } from "./places.js";

const since = performance.now();
const store = await openStore({ folder: process.argv[2] ?? "" }, quiet);
const time = performance.now() - since;
await store.close();
console.log(JSON.stringify({ time, memory: process.memoryUsage().rss / 1e6 }));

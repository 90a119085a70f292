/** The processes of a measurement: one provider for all, one client for each cell. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/**
 * @typedef {object} Measured
 * @property {number} time Nanoseconds of CPU.
 * @property {boolean} isRight Whether what came out is what was sent.
 * @property {number} updates How often somebody was told of a change.
 */

/**
 * @param {string} file
 * @param {readonly string[]} given
 */
function start(file, given = []) {
  const path = fileURLToPath(new URL(file, import.meta.url));
  return fork(path, given, { execArgv: ["--max-old-space-size=8192"] });
}

/** @returns {Promise<{ origin: string, stop: () => void }>} */
export async function startProvider() {
  const child = start("./provider-cli.js");
  const [port] = await once(child, "message");
  return { origin: `http://127.0.0.1:${port}`, stop: () => child.disconnect() };
}

/**
 * Undefined if the client did not end in time.
 *
 * @param {readonly string[]} given
 * @param {number} limitMs
 * @returns {Promise<Measured | undefined>}
 */
export async function measured(given, limitMs) {
  const child = start("./client-cli.js", given);
  /** @type {Measured | undefined} */
  let told;
  child.once("message", (message) => {
    told = /** @type {Measured} */ (message);
  });
  const timer = setTimeout(() => child.kill("SIGKILL"), limitMs);
  const [code] = await once(child, "exit");
  clearTimeout(timer);
  if (code !== 0 && code !== null) throw new Error(`the client failed: ${given.join(" ")}`);
  return told;
}

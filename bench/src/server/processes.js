/** The two servers that are compared, each in a process of its own, and their CPU and memory. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/**
 * @typedef {object} Server
 * @property {string} name
 * @property {string} url
 * @property {string} token
 * @property {() => Promise<number>} cpu Seconds so far.
 * @property {() => Promise<number>} residentMb
 * @property {() => Promise<void>} stop
 */

/**
 * @param {string} name
 * @param {string} program
 * @returns {Promise<Server>}
 */
async function started(name, program) {
  const path = fileURLToPath(new URL(program, import.meta.url));
  const child = spawn(process.execPath, [path], { stdio: ["pipe", "pipe", "inherit"] });
  const [line] = await once(createInterface({ input: child.stdout }), "line");
  const { url, token } = JSON.parse(line);
  const metric = async (/** @type {string} */ name) => {
    const headers = { authorization: `Bearer ${token}` };
    const text = await (await fetch(`${url}/metrics`, { headers })).text();
    return Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1]);
  };
  return {
    name,
    url,
    token,
    cpu: () => metric("process_cpu_seconds_total"),
    residentMb: async () => (await metric("process_resident_memory_bytes")) / 1_048_576,
    async stop() {
      child.stdin.end();
      await once(child, "exit");
    },
  };
}

export const startCallboard = () =>
  started("Callboard", "../../../packages/testkit/dist/torture/http/scripted-server-cli.js");

export const startBare = () => started("bare node:http", "./bare-cli.js");

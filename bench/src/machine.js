/** What the numbers were measured on. It never names the machine or its folders. */
import { cpus, totalmem } from "node:os";

/** @returns {string} */
export function machine() {
  const processors = cpus();
  const model = processors[0]?.model.trim() ?? "unknown processor";
  const memory = Math.round(totalmem() / 2 ** 30);
  const day = new Date().toISOString().slice(0, 10);
  return `${day}, ${processors.length} cores of ${model}, ${memory} GB, Node ${process.versions.node} (V8 ${process.versions.v8})`;
}

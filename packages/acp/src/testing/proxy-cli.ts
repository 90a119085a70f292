/** The proxy as a program of its own, for tests that kill it. */
import { runAcpProxy } from "../runAcpProxy.js";

const [program = "", ...args] = process.argv.slice(2);
const { stdin: input, stdout: output } = process;
await runAcpProxy({ command: [program, ...args], input, output, store: null });

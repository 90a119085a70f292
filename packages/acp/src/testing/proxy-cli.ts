/** The proxy as a program of its own, for tests that kill it and for clients that start one. */
import { runAcpProxy } from "../runAcpProxy.js";
import { isProfileName } from "../updates/profiles.js";

const [program = "", ...args] = process.argv.slice(2);
const { stdin: input, stdout: output } = process;
const { ACP_PROFILE: profile = "" } = process.env;
await runAcpProxy({
  ...{ command: [program, ...args], input, output, store: null },
  ...(isProfileName(profile) ? { profile } : {}),
});

/** The agent as a program over standard input and output, for clients that start one. */

import { serveAcp } from "../serveAcp.js";
import { isProfileName } from "../updates/profiles.js";

const { ACP_PROFILE: profile = "" } = process.env;
const served = serveAcp({
  input: process.stdin,
  output: process.stdout,
  ...(isProfileName(profile) ? { profile } : {}),
});
await served.closed;
process.exit(0);

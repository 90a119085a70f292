/** The planted bugs of all rooms. */
import { acp } from "./acp.js";
import { acpProxy } from "./acpProxy.js";
import { agentSdk } from "./agentSdk.js";
import { agentSdkCalls } from "./agentSdkCalls.js";
import { agentSdkMcp } from "./agentSdkMcp.js";
import { client } from "./client.js";
import { code } from "./code.js";
import { intake } from "./intake.js";
import { models } from "./models.js";
import type { Mutant } from "./mutant.js";
import { runLog } from "./runLog.js";
import { runLogCheckers } from "./runLogCheckers.js";
import { runLogSurfaces } from "./runLogSurfaces.js";
import { runLogText } from "./runLogText.js";
import { server } from "./server.js";
import { serverReach } from "./serverReach.js";
import { simulation } from "./simulation.js";
import { store } from "./store.js";
import { suite } from "./suite.js";
import { web } from "./web.js";

export const rooms: Readonly<Record<string, readonly Mutant[]>> = {
  runLog: [...runLog, ...runLogText, ...runLogSurfaces, ...runLogCheckers, ...intake],
  agentSdk: [...agentSdk, ...agentSdkCalls, ...agentSdkMcp],
  models,
  store,
  server: [...server, ...serverReach],
  client,
  acp: [...acp, ...acpProxy],
  code,
  web,
  simulation,
  suite,
};

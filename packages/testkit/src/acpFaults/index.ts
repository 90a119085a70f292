/** Faults that agents make on ACP, and sessions to plant them in. */
import type { AcpFault } from "./acpFault.js";
import { formFaults } from "./formFaults.js";
import { lifeFaults } from "./lifeFaults.js";
import { messageFaults } from "./messageFaults.js";
import { talkFaults } from "./talkFaults.js";
import { wireFaults } from "./wireFaults.js";

export type { AcpFault } from "./acpFault.js";
export type { AcpLife, AcpLine } from "./acpLines.js";
export { healthyAcp } from "./healthyAcp.js";
export { NoPlaceError } from "./plants.js";
export { wholeTalk } from "./wholeTalk.js";

export const acpFaults: readonly AcpFault[] = [
  ...lifeFaults,
  ...wireFaults,
  ...talkFaults,
  ...messageFaults,
  ...formFaults,
];

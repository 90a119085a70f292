/** How the Agent Client Protocol is read: by the checker, by the intake and by the proxy. */

export type { Evidence } from "../evidence.js";
export {
  type AcpConnection,
  type AcpMessage,
  type AcpRequest,
  type AcpSide,
  type AskedRequest,
  type Heard,
  hear,
  newConnection,
} from "./connection.js";
export { evidenceOfClosing, evidenceOfUpdate } from "./evidence.js";
export { type AcpQuestion, askedCallIn, isAllowed, questionIn } from "./question.js";
export { backgroundIn, isFinalStatus, parentCallIn, terminalsIn } from "./toolCalls.js";

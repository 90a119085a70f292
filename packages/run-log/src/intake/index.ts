/** The way in: streams and session files of other agents become logs. */

export {
  createLineSplitter,
  type LineSplitter,
  longestLine,
  type SplitLine,
} from "../lines/lineSplitter.js";
export type { Claim, GivenInput, OpenedCall, Place, TextKind } from "./claims.js";
export type { DialectStep, ForeignLine, IntakeDialect, Telling } from "./dialect.js";
export { type PromptInput, promptInputOf } from "./dialects/acpPrompt.js";
export { type DialectName, dialectOf, intakeDialects, isDialectName } from "./dialects.js";
export type { IntakeFinding, IntakeFindingCode, IntakeRemark } from "./findings.js";
export { createIntake } from "./intake.js";
export type { Intake, IntakeOptions, SessionReport, Taken, TakenEvents } from "./intakeContract.js";
export { leftOpenError } from "./narrator.js";
export { sessionNameOf } from "./sessionName.js";

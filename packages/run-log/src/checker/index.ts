/** The lifecycle checker: reports every broken rule of a recorded stream, in any dialect. */
export { type Checker, type CheckOptions, checkStream, createChecker } from "./checker.js";
export { type CheckReport, type Dialect, dialects, type Finding } from "./report.js";
export { type RuleName, rules, type Severity } from "./rules.js";

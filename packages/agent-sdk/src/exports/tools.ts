/** Tools beyond `defineTool`: the types of their parts, questions to a person, and the schema interface that any library may implement. */
export type {
  AskedQuestion,
  QuestionReceipt,
  QuestionReply,
  UserQuestions,
  UserQuestionsOptions,
} from "../tools/askUser.js";
export { effectKeyVariable } from "../tools/effectKey.js";
export type { StandardIssue, StandardResult, StandardSchema } from "../types/standardSchema.js";
export type {
  ArgumentCheck,
  Concurrency,
  FittingResult,
  InputProblem,
  OfferedTool,
  OnInterrupted,
  QuestionOutcome,
  Reconciliation,
  RemoteExecution,
  ToolKind,
} from "../types/tools.js";

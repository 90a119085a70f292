/** Questions to a person: what `ask_user` and a limit ask, and what counts as an answer. */
export { askedPerson, askToolName } from "./askedPerson.js";
export {
  type LimitName,
  type LimitRequest,
  limitAmountText,
  limitNames,
  limitQuestionText,
  limitRequestIn,
  limitRequestSchema,
  limitToolName,
} from "./limitRequest.js";
export {
  answerProblem,
  offeredWords,
  personQuestionIn,
  type UserQuestion,
  userQuestionIn,
  userQuestionSchema,
} from "./userQuestion.js";

/** Questions to a person: the questions of `ask_user` and of limits, and which answers are valid. */
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
export { answerInForm, questionFormOf } from "./questionForm.js";
export {
  answerProblem,
  offeredWords,
  personQuestionIn,
  type UserQuestion,
  userQuestionIn,
  userQuestionSchema,
} from "./userQuestion.js";

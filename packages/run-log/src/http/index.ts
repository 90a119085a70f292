/**
 * The HTTP contract: requests, answers, rows and lines of streams, each written once. The server checks and
 * describes itself with it, the client reads with it, `/openapi.json` is made from it. It sends nothing.
 */
export * from "./answers.js";
export { agUiEventSchema, uiMessageChunkSchema } from "./foreignLines.js";
export * from "./intake.js";
export * from "./openAiLines.js";
export * from "./otherAnswers.js";
export * from "./queries.js";
export * from "./requests.js";
export * from "./rows.js";
export * from "./streamLines.js";
export * from "./streamUnions.js";
export * from "./values.js";
export * from "./words.js";

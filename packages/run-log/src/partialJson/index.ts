/** Reading JSON that is still arriving, and making the best of JSON that stopped arriving. */
export type { JsonChange, JsonPath } from "./changeLog.js";
export { extractStreamingParams } from "./extractStreamingParams.js";
export type { JsonProblem } from "./jsonProblem.js";
export {
  createJsonReader,
  type JsonProgress,
  type JsonReader,
  type JsonReaderOptions,
  type JsonResult,
  type JsonStatus,
} from "./jsonReader.js";
export { type RecoveredJson, recoverTruncated } from "./recoverTruncated.js";

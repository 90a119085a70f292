/** Helpers for JSON values and texts: bounds, comparison, messages of errors and of failed schemas. */

export { boundedJson, boundedText } from "../values/bounded.js";
export { messageOfError } from "../values/errorMessage.js";
export { type Fields, isFields } from "../values/fields.js";
export { jsonListOf, MAX_JSON_DEPTH, parsedJson } from "../values/json.js";
export { withoutUndefined } from "../values/optional.js";
export { personName } from "../values/personName.js";
export { isSameJson } from "../values/sameJson.js";
export { inEnglish, problemText } from "../values/schemaProblem.js";
export { isFileMissing, systemCodeOf } from "../values/systemCode.js";

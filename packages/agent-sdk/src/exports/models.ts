/** Models: how a name becomes a model, what an answer consists of, prices and context windows. */
export { knownWindowOf } from "../models/knownWindows.js";
export { type ModelSpec, modelSpecOf } from "../models/modelSpec.js";
export type { ResolvedModel } from "../models/resolveModel.js";
export type { ModelErrorKind } from "../services/aiService.js";
export type { AnswerPart, FinishReason } from "../types/answer.js";
export { type Effort, efforts, type ModelSettings } from "../types/model.js";
export type { ModelPrice, Prices, TokenPrice } from "../types/prices.js";

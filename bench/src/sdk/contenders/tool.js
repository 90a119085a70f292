/** The tool that every contender offers, and what it answers. */
export { toolName } from "../frames.js";

export const toolDescription = "Writes a file.";
export const toolAnswer = "Written.";
export const toolSchema = {
  type: "object",
  properties: { path: { type: "string" }, content: { type: "string" } },
  required: ["path", "content"],
  additionalProperties: false,
};
export const question = "Write the settings module.";

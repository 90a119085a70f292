/**
 * The program of the thread that compiles and applies untrusted JSON Schemas. It is text, because a
 * thread cannot be started from a TypeScript file; it imports Ajv from where this package has it.
 *
 * A schema is checked against its meta-schema once. It is compiled in an Ajv instance of its own, so that
 * the `$id` of one sender's schema is never visible to another's. Patterns and keywords whose cost grows
 * faster than their input are not applied: the client that sent the schema checks them itself.
 */
export const schemaThreadSource = `
const { parentPort, workerData } = require("node:worker_threads");
const { createRequire } = require("node:module");
const load = createRequire(workerData.from);
const { Ajv } = load("ajv");
const { Ajv2020 } = load("ajv/dist/2020.js");
const unappliedPattern = Object.assign(
  (pattern, flags) => {
    const { source } = new RegExp(pattern, flags);
    return { test: () => true, toString: () => source };
  },
  { code: "unappliedPattern" },
);
const slowKeywords = ["patternProperties", "unevaluatedProperties", "uniqueItems"];
const common = { strict: false, validateFormats: false, logger: false };
const metaOf = { false: new Ajv(common), true: new Ajv2020(common) };
const compiled = new Map();
let cachedChars = 0;

function compile({ $schema: dialect, $async: _, ...schema }) {
  const isModern = typeof dialect === "string" && /20(19-09|20-12)/.test(dialect);
  const meta = metaOf[isModern];
  if (!meta.validateSchema(schema)) throw new Error(meta.errorsText());
  const options = { ...common, meta: false, validateSchema: false, code: { regExp: unappliedPattern } };
  const ajv = isModern ? new Ajv2020(options) : new Ajv(options);
  for (const keyword of slowKeywords) ajv.removeKeyword(keyword);
  return ajv.compile(schema);
}

function validatorOf(text) {
  const known = compiled.get(text);
  compiled.delete(text);
  const validator = known ?? compile(JSON.parse(text));
  if (!known) cachedChars += text.length;
  compiled.set(text, validator);
  for (const oldest of compiled.keys()) {
    if (cachedChars <= workerData.maxCachedChars || oldest === text) break;
    compiled.delete(oldest);
    cachedChars -= oldest.length;
  }
  return validator;
}

function answerTo({ schema, input }) {
  let validator;
  try {
    validator = validatorOf(schema);
  } catch (error) {
    return { type: "unusable", reason: error instanceof Error ? error.message : String(error) };
  }
  if (input === undefined || validator(JSON.parse(input))) return { type: "valid" };
  const errors = (validator.errors ?? []).slice(0, workerData.maxErrors);
  return {
    type: "invalid",
    errors: errors.map(({ instancePath, keyword, message, params }) => ({
      instancePath, keyword, message, params: JSON.parse(JSON.stringify(params)),
    })),
  };
}

parentPort.on("message", (task) => parentPort.postMessage(answerTo(task)));
parentPort.postMessage({ type: "ready" });
`;

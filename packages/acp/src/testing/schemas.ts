/** Validates messages against the protocol's own JSON Schemas, which come with its library. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AcpVersion } from "@callboard/run-log/projections";
import { Ajv2020 } from "ajv/dist/2020.js";

export interface ProtocolSchema {
  /** The problem of a value of a named type; undefined if there is none. */
  problemOf(type: string, value: unknown): string | undefined;
  /** The same for a line of an agent: an update, a question, or the answer to a prompt. */
  lineProblemOf(line: string): string | undefined;
}

const require = createRequire(import.meta.url);

export function protocolSchema(version: AcpVersion): ProtocolSchema {
  const path = require.resolve(`@agentclientprotocol/sdk/schema/v${version}/schema.json`);
  const schema: Readonly<Record<string, unknown>> = JSON.parse(readFileSync(path, "utf8"));
  const ajv = new Ajv2020({ strict: false, discriminator: false, validateFormats: false });
  ajv.addSchema({ ...schema, $id: "acp" });
  const problemOf = (type: string, value: unknown): string | undefined => {
    const validate = ajv.getSchema(`acp#/$defs/${type}`);
    if (!validate) return `the schema has no ${type}`;
    const isValid: unknown = validate(value);
    return isValid === true ? undefined : `${type}: ${ajv.errorsText(validate.errors)}`;
  };
  const notification = version === 1 ? "SessionNotification" : "UpdateSessionNotification";
  return {
    problemOf,
    lineProblemOf(line) {
      const message: Readonly<Record<string, unknown>> = JSON.parse(line);
      if (message.method === "session/update") return problemOf(notification, message.params);
      if (message.method === "session/request_permission") {
        return problemOf("RequestPermissionRequest", message.params);
      }
      if (message.error !== undefined) return problemOf("Error", message.error);
      return message.result === undefined ? undefined : problemOf("PromptResponse", message.result);
    },
  };
}

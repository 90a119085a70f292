/**
 * Reads the deprecated `tool_update` as far as it can be judged: inputs start a call, outputs and errors close it. A
 * call that also has `tool_event` lines is judged by those alone.
 */
import { fieldsOf, nameOf, textOf } from "../../values/fields.js";
import { nothing, observed, type Reading, remarked } from "../observations.js";
import { suspicion } from "../rules.js";

const kinds = [
  "mcp_input",
  "mcp_output",
  "mcp_error",
  "step_data",
  "user_visible_message",
] as const;

export interface ToolUpdateReader {
  read(data: unknown, isToldElsewhere: (callId: string) => boolean): Reading;
}

export function createToolUpdateReader(): ToolUpdateReader {
  return {
    read(data, isToldElsewhere) {
      const fields = fieldsOf(data) ?? {};
      const id = nameOf(fields.id);
      const kind = kinds.find((name) => name === fields.type);
      if (kind === undefined) {
        const name = textOf(fields.type) ?? "(none)";
        return remarked(suspicion("unknown-type", `unknown tool update ${name}`, id));
      }
      if (id === undefined || isToldElsewhere(id)) return nothing;
      const call = { scope: "", id };
      const upserted = { type: "call.upserted", call } as const;
      switch (kind) {
        case "mcp_input":
          return observed(upserted, { type: "call.run.started", call });
        case "step_data":
        case "user_visible_message":
          return observed(upserted, { type: "call.run.progressed", call, output: false });
        case "mcp_output":
          return observed({ type: "call.closed", call, outcome: "ok" });
        case "mcp_error":
          return observed({ type: "call.closed", call, outcome: "failed" });
        default:
          return kind satisfies never;
      }
    },
  };
}

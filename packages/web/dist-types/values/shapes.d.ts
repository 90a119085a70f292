/**
 * How a value that nobody knows is best shown: by its shape. The generic renderer draws what this
 * finds, so that any tool's output reads well without a renderer of its own.
 */
import { type JsonObject, type JsonValue } from "@callboard/run-log";
export type Shape =
  | {
      readonly type: "empty";
    }
  | {
      readonly type: "scalar";
      readonly text: string;
    }
  | {
      readonly type: "text";
      readonly text: string;
    }
  | {
      readonly type: "markdown";
      readonly text: string;
    }
  | {
      readonly type: "table";
      readonly columns: readonly string[];
      readonly rows: readonly JsonObject[];
    }
  | {
      readonly type: "keyValue";
      readonly entries: readonly (readonly [string, JsonValue])[];
    }
  | {
      readonly type: "list";
      readonly items: readonly JsonValue[];
    }
  | {
      readonly type: "tree";
      readonly value: JsonValue;
    };
/** An output as it was written: text that is JSON is shown by what it says. */
export declare function shapeOfText(text: string): Shape;
export declare function shapeOf(value: JsonValue): Shape;
//# sourceMappingURL=shapes.d.ts.map

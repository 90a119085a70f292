/** Words beside the fields of a call: the description of a question, and what stands for an empty output. */
import { createLife } from "@callboard/testkit";
import { describe, expect, it } from "vitest";
import { approvalId } from "../../log/ids.js";
import { type AcpOptions, createAcpProjection } from "../acp.js";
import { project } from "../shared/projection.js";
import { base64Of } from "./base64.js";
import type { AcpOutput } from "./updates.js";

type Cast = Parameters<Parameters<typeof createLife>[2]>[0];

function outputsOf(tell: (cast: Cast) => void, options: AcpOptions): readonly AcpOutput[] {
  const life = createLife("x", "", (cast) => {
    cast.model.begins();
    tell(cast);
  });
  return project(createAcpProjection(options), life.log);
}

it.each([
  ["Running npm test", undefined],
  ["Running npm test deletes build/", "Run npm test deletes build/"],
])(
  "a question of v2 for the reason %j describes more than its title, or nothing",
  (reason, description) => {
    const asking = ({ model, tool }: Cast): void => {
      const call = model.calls("Bash", { command: "npm test" }, { title: "Running npm test" });
      tool.asks(call, { options: [], approvalId: approvalId("ask"), reason });
    };
    const asked = outputsOf(asking, { version: 2 }).find(({ type }) => type === "ask");
    const { params } = Object(Object(asked).permission);
    expect([params.title, params.description]).toEqual(["Run npm test", description]);
  },
);

describe("a command that prints nothing", () => {
  const quiet = ({ model, tool }: Cast): void => {
    const call = model.calls("Bash", { command: "true" }, { kind: "execute" });
    tool.starts(call);
    tool.ends(call, "(No output.)", { exitCode: 0 });
  };

  it.each([
    ["v2", { version: 2 }, false],
    ["v1 with terminals", { version: 1, terminalKey: "terminal_output" }, false],
    ["plain v1", { version: 1 }, true],
  ] as const)(
    "on %s says so in words alone, never as bytes of a terminal",
    (_, options, isTold) => {
      const told = JSON.stringify(outputsOf(quiet, options));
      const [words, bytes] = ["(No output.)", base64Of("(No output.)")];
      expect([told.includes(words), told.includes(bytes)]).toEqual([isTold, false]);
    },
  );
});

/** The life that `npm start` plays: a bit of everything in a quarter of a minute. */
import { createLife } from "./life.js";

export const tour = createLife(
  "tour",
  "Thinking, three files at once, a command that needs a yes, a failure, an agent, and an answer.",
  ({ later, user, model, tool, run, nestedModel }) => {
    user.says("Why does the build fail, and can you fix it?");
    later(600);
    model.begins();
    model.thinks("The build log comes first, then the file that it names.", {
      anthropic: { signature: "sig_tour" },
    });
    model.says("I'll run the build and look at the sources meanwhile.");
    const build = model.calls("Bash", { command: "npm run build" }, { kind: "execute" });
    const app = model.calls("Read", { file_path: "src/app.ts" }, { kind: "read" });
    const missing = model.calls("Read", { file_path: "src/main.ts" }, { kind: "read" });
    model.ends("tool-calls");
    tool.asks(build, { reason: "it runs a command" });
    tool.starts(app);
    tool.starts(missing);
    later(180);
    tool.ends(app, "const port: string = 8080;\n".repeat(42), { summary: "42 lines" });
    later(20);
    tool.fails(missing, "src/main.ts does not exist", { errorType: "not_found" });
    later(1_100);
    user.allows(build);
    tool.starts(build);
    later(900);
    tool.prints(build, "src/app.ts(1,7): error TS2322\n");
    later(200);
    tool.fails(build, "exit code 2", { errorType: "exit_code", exitCode: 2 });
    later(500);
    model.begins();
    model.says("A number where text is declared. An agent checks who else relies on it.");
    const agent = model.calls("Agent", { task: "who uses port?" }, { toolType: "agent" });
    model.ends("tool-calls");
    tool.starts(agent);
    const nested = nestedModel(agent);
    nested.begins();
    const search = nested.calls("Grep", { pattern: "port" }, { kind: "search" });
    nested.ends("tool-calls");
    tool.starts(search);
    later(350);
    tool.ends(search, "src/app.ts:1\n", { summary: "1 match" });
    tool.ends(agent, "only src/app.ts", { summary: "1 file" });
    later(400);
    model.begins();
    const edit = model.calls("Edit", { file_path: "src/app.ts", old: "string", new: "number" });
    model.ends("tool-calls");
    tool.starts(edit);
    later(60);
    tool.ends(edit, "edited src/app.ts", {
      summary: "1 change",
      diffs: [{ path: "src/app.ts", oldText: "port: string", newText: "port: number" }],
    });
    later(400);
    model.begins();
    model.says("Fixed: `port` is a number, so it is declared as one now. The build passes.");
    model.uses({ inputTokens: 5_120, outputTokens: 310, costUsd: 0.021 });
    model.ends();
    run.ends();
  },
);

/** Hostile texts as Claude Code writes a session: line by line, for the intake and for recordings. */
import { hostileTexts } from "./hostile.js";

/** As another agent writes its session: every text in an answer, in arguments, in an output, as a name and as a title. */
function sessionLines(): readonly object[] {
  const [name = ""] = hostileTexts;
  const spoken = hostileTexts.join("\n\n");
  const listed = JSON.stringify(hostileTexts);
  const session_id = "hostile";
  const calls = [
    { type: "tool_use", id: "t1", name, input: { title: spoken, [name]: hostileTexts } },
    { type: "tool_use", id: "t2", name: "Bash", input: { command: spoken } },
  ];
  return [
    { type: "system", subtype: "init", session_id, model: name },
    { type: "user", session_id, message: { content: spoken } },
    {
      type: "assistant",
      session_id,
      message: { id: "m1", content: [{ type: "text", text: spoken }, ...calls] },
    },
    {
      type: "user",
      session_id,
      message: {
        content: [
          { type: "tool_result", tool_use_id: "t1", content: listed },
          { type: "tool_result", tool_use_id: "t2", content: spoken, is_error: true },
        ],
      },
    },
  ];
}

export const hostileSession: readonly string[] = sessionLines().map((line) => JSON.stringify(line));

/** What a person can type in the editor with a slash: answered here, and not sent to the model as a message. */

export const slashCommands = [
  { name: "cost", description: "Tokens and cost of this session" },
  { name: "rules", description: "What is allowed and denied without asking" },
  { name: "queue", description: "The messages that wait" },
  { name: "compact", description: "Summarize the conversation so far to free context" },
  { name: "shell", description: "Run a command yourself", hint: "command line" },
] as const;

export type SlashCommand =
  | { readonly name: "cost" | "rules" | "queue" | "compact" }
  | { readonly name: "shell"; readonly command: string };

/** Anything else that begins with a slash is for the model. */
export function slashCommandOf(text: string): SlashCommand | undefined {
  const [, name, rest = ""] = /^\/(\w+)(?:\s+([\s\S]*))?$/.exec(text.trim()) ?? [];
  switch (name) {
    case "cost":
    case "rules":
    case "queue":
    case "compact":
      return rest === "" ? { name } : undefined;
    case "shell":
      return rest === "" ? undefined : { name, command: rest };
    default:
      return undefined;
  }
}

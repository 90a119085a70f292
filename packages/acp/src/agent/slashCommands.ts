/** What a person can type in the editor with a slash: answered here, without asking the model. */

export const slashCommands = [
  { name: "cost", description: "Tokens and cost of this session" },
  { name: "rules", description: "What is allowed and denied without asking" },
  { name: "shell", description: "Run a command yourself", hint: "command line" },
] as const;

export type SlashCommand =
  | { readonly name: "cost" | "rules" }
  | { readonly name: "shell"; readonly command: string };

/** Anything else that begins with a slash is for the model. */
export function slashCommandOf(text: string): SlashCommand | undefined {
  const [, name, rest = ""] = /^\/(\w+)(?:\s+([\s\S]*))?$/.exec(text.trim()) ?? [];
  if (name === "cost" || name === "rules") return rest === "" ? { name } : undefined;
  return name === "shell" && rest !== "" ? { name, command: rest } : undefined;
}

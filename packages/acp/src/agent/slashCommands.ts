/**
 * The slash commands of the editor. The session's own commands are answered here and not sent to the model; a command of
 * the folder is replaced by the text that is sent.
 */

/** What a client shows of a command. */
export interface OfferedCommand {
  readonly name: string;
  readonly description: string;
  /** What may follow the name. */
  readonly hint?: string;
}

/** A command that a person or a project wrote. */
export interface FolderCommand extends OfferedCommand {
  /** The message for these words behind the name. */
  textFor(words: string): string;
}

const ownCommands: readonly OfferedCommand[] = [
  { name: "cost", description: "Tokens and cost of this session" },
  { name: "rules", description: "What is allowed and denied without asking" },
  { name: "queue", description: "The messages that wait" },
  { name: "compact", description: "Summarize the conversation so far to free context" },
  { name: "shell", description: "Run a command yourself", hint: "command line" },
];

export type SlashCommand =
  | { readonly name: "cost" | "rules" | "queue" | "compact" }
  | { readonly name: "shell"; readonly command: string };

/** The session's own commands, then those of the folder. A name of the session's own stays its own. */
export function offeredCommands(folder: readonly FolderCommand[]): readonly OfferedCommand[] {
  return [...ownCommands, ...folder.filter(({ name }) => !isOwn(name))];
}

/** Any other text that starts with a slash is for the model. */
export function slashCommandOf(text: string): SlashCommand | undefined {
  const { name, words } = typedCommand(text);
  switch (name) {
    case "cost":
    case "rules":
    case "queue":
    case "compact":
      return words === "" ? { name } : undefined;
    case "shell":
      return words === "" ? undefined : { name, command: words };
    default:
      return undefined;
  }
}

/** The text of a command of the folder; any other text unchanged. */
export function expandedText(text: string, folder: readonly FolderCommand[]): string {
  const typed = typedCommand(text);
  if (isOwn(typed.name)) return text;
  return folder.find(({ name }) => name === typed.name)?.textFor(typed.words) ?? text;
}

function isOwn(name: string): boolean {
  return ownCommands.some((own) => own.name === name);
}

/** The name is empty if no command was typed. */
function typedCommand(text: string): { readonly name: string; readonly words: string } {
  const [, name = "", words = ""] = /^\/(\S+)(?:\s+([\s\S]*))?$/.exec(text.trim()) ?? [];
  return { name, words };
}

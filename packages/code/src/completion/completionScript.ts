/** The completion scripts, made from the commands themselves: a new option is completed by itself. */
import { Command, type Option } from "commander";
import type { CommandContext } from "../commands/commandEntry.js";
import { addRunOptions } from "../commands/runOptions.js";

interface Completable {
  /** `sessions show`; empty for the program itself. */
  readonly path: string;
  readonly words: readonly string[];
  readonly options: readonly Option[];
}

/** The commands are built with the context of the calling one; none of them runs. */
export function completionScript(shell: string, context: CommandContext): string {
  const places = completables(context);
  if (shell === "fish") return fishScript(places);
  const script = bashScript(places);
  return shell === "zsh"
    ? `#compdef callboard\nautoload -U +X bashcompinit && bashcompinit\n${script}`
    : script;
}

function completables(context: CommandContext): readonly Completable[] {
  const main = addRunOptions(new Command());
  const names = [...context.commands.map(({ name }) => name), "help"];
  const places: Completable[] = [{ path: "", words: names, options: main.options }];
  for (const entry of context.commands) {
    const command = new Command(entry.name);
    entry.build(command, context);
    const nested = command.commands;
    const choices = command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []);
    const words = [...nested.map((one) => one.name()), ...choices];
    places.push({ path: entry.name, words, options: command.options });
    for (const one of nested) {
      places.push({ path: `${entry.name} ${one.name()}`, words: [], options: one.options });
    }
  }
  return places;
}

/** Commands with the id of a session as an argument. */
const takingSessions: ReadonlySet<string> = new Set([
  "sessions show",
  "sessions rm",
  "sessions export",
  "replay",
]);

function flagsOf({ options }: Completable): readonly string[] {
  return [...options.flatMap(({ long, short }) => [long, short]), "--help"].filter(
    (flag) => typeof flag === "string",
  );
}

function bashScript(places: readonly Completable[]): string {
  const cases = places.map((place) => {
    const words = [...place.words, ...flagsOf(place)].join(" ");
    return `    ${JSON.stringify(place.path)}) words=${JSON.stringify(words)} ;;`;
  });
  const values = places
    .flatMap(({ options }) => options)
    .flatMap(({ long, argChoices }) =>
      long && argChoices ? [`    ${long}) words=${JSON.stringify(argChoices.join(" "))} ;;`] : [],
    );
  return `_callboard() {
  local current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" path="" words=""
  case " ${places[0]?.words.join(" ")} " in
    *" \${COMP_WORDS[1]} "*) [ "$COMP_CWORD" -gt 1 ] && path="\${COMP_WORDS[1]}" ;;
  esac
  case " ${places.map(({ path }) => path.replace(" ", "/")).join(" ")} " in
    *" $path/\${COMP_WORDS[2]} "*) [ "$COMP_CWORD" -gt 2 ] && path="$path \${COMP_WORDS[2]}" ;;
  esac
  case "$path" in
${cases.join("\n")}
  esac
  case "$path" in
    ${[...takingSessions].map((path) => JSON.stringify(path)).join("|")}) words="$words $("\${COMP_WORDS[0]}" sessions list --all 2>/dev/null | cut -d' ' -f1)" ;;
  esac
  case "$before" in
    -r|--resume) words="$("\${COMP_WORDS[0]}" sessions list 2>/dev/null | cut -d' ' -f1)" ;;
${[...new Set(values)].join("\n")}
    --mcp-config|--add-dir|--output|-o) COMPREPLY=($(compgen -f -- "$current")); return ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _callboard callboard
`;
}

/** The ids of sessions, in the form for fish. */
function fishIds(options: string): string {
  return `(callboard sessions list ${options} 2>/dev/null | cut -d" " -f1)`;
}

function fishScript(places: readonly Completable[]): string {
  const lines = places.flatMap((place) => {
    const [command = "", nested] = place.path.split(" ");
    const condition = [
      command === "" ? "__fish_use_subcommand" : `__fish_seen_subcommand_from ${command}`,
      ...(nested === undefined ? [] : [`__fish_seen_subcommand_from ${nested}`]),
    ].join("; and ");
    const start = `complete -c callboard -n ${JSON.stringify(condition)}`;
    const words =
      place.words.length === 0 ? [] : [`${start} -f -a ${JSON.stringify(place.words.join(" "))}`];
    if (takingSessions.has(place.path)) words.push(`${start} -f -a '${fishIds("--all")}'`);
    const options = place.options.map(({ long, short, description, required, argChoices }) => {
      const flags = [
        ...(long ? [`-l ${long.slice(2)}`] : []),
        ...(short ? [`-s ${short.slice(1)}`] : []),
        ...(required ? ["-r"] : []),
        ...(argChoices ? [`-f -a ${JSON.stringify(argChoices.join(" "))}`] : []),
        ...(long === "--resume" ? [`-x -a '${fishIds("")}'`] : []),
      ];
      return `${start} ${flags.join(" ")} -d ${JSON.stringify(description.replaceAll(/[`$"\\]/g, ""))}`;
    });
    return [...words, ...options];
  });
  return `${lines.join("\n")}\n`;
}

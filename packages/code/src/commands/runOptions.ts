/** The options of `callboard` itself. Only words: nothing here runs. */
import { type Command, Option } from "commander";
import { collected } from "./commandEntry.js";

/** Names of formats and modes, written out so that `--help` imports nothing. */
const formats = ["text", "json", "stream-json"];
const efforts = ["none", "minimal", "low", "medium", "high", "xhigh", "max"];
const modes = ["ask", "accept-edits", "plan", "allow", "deny"];

export function addRunOptions(command: Command): Command {
  return command
    .argument(
      "[prompt...]",
      "what to do; without it, and with a terminal, the program is interactive",
    )
    .optionsGroup("Headless:")
    .option("-p, --print", "answer the prompt and exit; piped input is appended to it")
    .addOption(
      new Option(
        "--output-format <format>",
        "output: the text of the answer, one JSON result, or one JSON line for each event",
      )
        .choices(formats)
        .default("text"),
    )
    .addOption(
      new Option(
        "--input-format <format>",
        "`stream-json`: messages, approvals and cancels as JSON lines on standard input",
      )
        .choices(["text", "stream-json"])
        .default("text"),
    )
    .option("--fail-on-tool-error", "exit with status 3 if a tool call fails")
    .optionsGroup("Session:")
    .option("-i, --interactive", "open the dialogue, and send the prompt as its first message")
    .option("-c, --continue", "continue the latest session of this folder")
    .option(
      "-r, --resume [id]",
      "continue this session; a prefix of its id is enough; without an id, choose from a list",
    )
    .option("--fork", "with -c or -r: continue with a copy; the original stays as it is")
    .option("--ephemeral", "headless: keep nothing of this session")
    .optionsGroup("Model and limits:")
    .option(
      "-m, --model <provider:model>",
      "for example anthropic:claude-sonnet-4-5; `rehearsal` needs no key",
    )
    .option(
      "--model-option <name=value>",
      "thinkingBudget=8192, header.<name>=… or option.<field>=…; may be repeated",
      collected,
    )
    .addOption(new Option("--effort <level>", "reasoning effort of the model").choices(efforts))
    .option("--max-output-tokens <n>", "maximum tokens of one answer")
    .option("--temperature <number>", "sampling temperature of the model")
    .option("--model-timeout <seconds>", "cancel an answer after this much silence of the model")
    .option("--system-prompt <text>", "system prompt of the model")
    .option("--max-turns <n>", "maximum model answers in one run")
    .option("--max-cost <usd>", "maximum cost of one run, in dollars")
    .option("--timeout <seconds>", "maximum time of one run, without waiting for you")
    .addOption(
      new Option(
        "--on-limit <action>",
        "when a limit is reached: ask for more (default with a terminal), or end the run",
      ).choices(["ask", "end"]),
    )
    .optionsGroup("Permissions and tools:")
    .option(
      "--allow <rule>",
      "allow without asking, such as 'shell(git *)'; may be repeated; '*' is everything",
      collected,
    )
    .option(
      "--deny <rule>",
      "deny without asking; takes precedence over --allow; may be repeated",
      collected,
    )
    .addOption(
      new Option(
        "--permission-mode <mode>",
        "what to do when no rule matches: ask, accept-edits (ask, except for file edits), plan (no changes), allow, or deny",
      ).choices(modes),
    )
    .option(
      "--add-dir <folder>",
      "a further folder that tools may work in; may be repeated",
      collected,
    )
    .option("--mcp-config <file>", "a JSON file with `mcpServers`; may be repeated", collected)
    .optionsGroup("Display:")
    .addOption(
      new Option("--color <when>", "when to use colour").choices(["auto", "always", "never"]),
    )
    .option("--reduced-motion", "no animation")
    .option("--screen-reader", "plain lines of text, nothing redrawn")
    .optionsGroup("Other:");
}

export const runHelp = `
Without a prompt, and with a terminal, callboard is interactive: type /help.
Without a terminal, or with a prompt or -p, it is headless: the answer goes to
standard output, everything else to standard error. Headless mode cannot ask: a
call that needs approval is denied unless a rule allows it.

Exit status:
    0  success                          5  a turn, call or cost limit
    1  the run failed                 124  timed out (--timeout)
    2  usage error                    130  interrupted (SIGINT); 129 on SIGHUP
    3  a tool call failed, with       141  output pipe closed
       --fail-on-tool-error           143  terminated by SIGTERM
    4  configuration or credentials
  With json and stream-json the last line is always
  {"type":"result","exitCode":…}, and that is the exit status.

Environment:
  CALLBOARD_MODEL             the model, as --model
  CALLBOARD_HOME              where sessions and saved rules are kept
  ANTHROPIC_API_KEY, OPENAI_API_KEY, GOOGLE_GENERATIVE_AI_API_KEY,
  OPENROUTER_API_KEY, GROQ_API_KEY, MISTRAL_API_KEY, DEEPSEEK_API_KEY,
  XAI_API_KEY, AZURE_API_KEY  keys of providers; never flags. Without a model
                              the first one that is set selects its provider
  OPENAI_BASE_URL, …_BASE_URL other addresses of these providers
  CALLBOARD_PERMISSION_MODE, CALLBOARD_MAX_TURNS, CALLBOARD_MAX_COST,
  CALLBOARD_TIMEOUT, CALLBOARD_ON_LIMIT, CALLBOARD_REDUCED_MOTION,
  CALLBOARD_SCREEN_READER
                              as the flags of these names
  CALLBOARD_APPROVAL_TIMEOUT  seconds after which a question expires, or none
  NO_COLOR, FORCE_COLOR, TERM=dumb, CI
                              are honoured

Files:
  $XDG_CONFIG_HOME/callboard/config.json   settings of the user
  .callboard/config.json                   settings of the project or above it
  Flags override the environment, the environment overrides the project's file,
  and that overrides the user's file.
  \`callboard config --show-origin\` prints the settings in effect and where they
  come from.

Examples:
  callboard "What does src/app.ts do?"
  git diff | callboard -p "Review this" --output-format json
  callboard -c "Now the tests" --allow 'shell(npm test)' --allow 'write(src/**)'
  callboard -p --output-format stream-json "fix the build" | callboard check -`;

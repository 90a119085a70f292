/**
 * The kinds of the tools of common agents, by name: most dialects do not contain them. A surface then shows "Running ls"
 * for Claude Code's `Bash` as for any other command.
 */
const kinds: Readonly<Record<string, readonly string[]>> = {
  execute: [
    ...["bash", "shell", "local_shell", "exec_command", "execute_command", "run_command"],
    ...["run_shell_command", "run_terminal_cmd"],
  ],
  read: ["read", "read_file", "read_many_files", "view", "notebookread", "cat"],
  edit: [
    ...["edit", "edit_file", "multiedit", "notebookedit", "apply_patch", "patch", "replace"],
    ...["write", "write_file", "create_file", "str_replace"],
  ],
  search: ["grep", "glob", "ls", "list", "list_directory", "search_file_content", "search_files"],
  fetch: ["webfetch", "web_fetch", "fetch", "websearch", "web_search", "google_web_search"],
};

const kindOfName: ReadonlyMap<string, string> = new Map(
  Object.entries(kinds).flatMap(([kind, names]) => names.map((name) => [name, kind] as const)),
);

export function knownKindOf(toolName: string): string | undefined {
  return kindOfName.get(toolName.toLowerCase());
}

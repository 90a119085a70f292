/**
 * Titles for editors, which show by themselves whether a call waits, asks or runs: "Run npm test" is correct at every
 * moment of the call, "Running npm test" is not.
 */
const verbs: Readonly<Record<string, string>> = {
  Running: "Run",
  Writing: "Write",
  Editing: "Edit",
  Reading: "Read",
  Searching: "Search",
  Fetching: "Fetch",
  Listing: "List",
  Finding: "Find",
  Creating: "Create",
  Deleting: "Delete",
  Moving: "Move",
  "Asking:": "Ask:",
  "Delegating:": "Delegate:",
};

export function acpTitle(title: string): string {
  const [first = ""] = title.split(" ", 1);
  const verb = Object.hasOwn(verbs, first) ? verbs[first] : undefined;
  return verb === undefined ? title : verb + title.slice(first.length);
}

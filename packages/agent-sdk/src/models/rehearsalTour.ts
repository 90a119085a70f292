/**
 * The tour of the rehearsal, step by step. A step whose tools are not offered is skipped. It works on one scratch file
 * of its own and removes it at the end; one step reads a missing file on purpose.
 */
export interface TourStep {
  readonly think?: string;
  readonly say: string;
  readonly calls: readonly { readonly tool: string; readonly input: string }[];
}

const scratch = "callboard-rehearsal.txt";

function call(tool: string, input: Readonly<Record<string, string>>): TourStep["calls"][number] {
  return { tool, input: JSON.stringify(input) };
}

export const tourSteps: readonly TourStep[] = [
  {
    think: "A tour should show a call that works, one that fails and one that needs an approval.",
    say: "welcome to the tour. First I look at what is here.",
    calls: [call("list_files", { path: "." })],
  },
  {
    say: "now I read a file that does not exist, to show how a call fails.",
    calls: [call("read_file", { path: "callboard-rehearsal-missing.txt" })],
  },
  {
    say: "that failed, as it should. I write a scratch file; you may be asked to approve it.",
    calls: [
      call("write_file", {
        path: scratch,
        content: "Places, please.\nThe curtain is down.\nThis file belongs to a rehearsal.\n",
      }),
    ],
  },
  {
    say: "I read it and search for a word in it, both at once.",
    calls: [
      call("read_file", { path: scratch }),
      call("search_files", { pattern: "curtain", path: "." }),
    ],
  },
  {
    say: "I change one line of it.",
    calls: [
      call("edit_file", {
        path: scratch,
        old_text: "The curtain is down.",
        new_text: "The curtain is up.",
      }),
    ],
  },
  {
    say: "I give a task to a sub-agent.",
    calls: [
      call("delegate", {
        task: "think A small part, but mine.\nsay the sub-agent has looked around and reports back.",
      }),
    ],
  },
  {
    say: "last, a command shows the file and removes it; commands need your approval.",
    calls: [call("shell", { command: `cat ${scratch} && rm ${scratch}` })],
  },
];

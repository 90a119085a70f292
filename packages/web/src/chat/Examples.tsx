/** The content of an empty conversation: examples, one click away. */
interface Example {
  readonly title: string;
  readonly text: string;
  readonly hint: string;
}

/** The rehearsed model follows its script, line by line. */
const rehearsed: readonly Example[] = [
  {
    title: "Take the tour",
    text: "tour",
    hint: "An agent lists, reads, writes, searches, edits, delegates and runs a command. It asks you first.",
  },
  {
    title: "Call a tool",
    text: 'call list_files {"path":"."}',
    hint: "Any tool, with any arguments: write the line yourself.",
  },
  {
    title: "See an approval",
    text: 'call shell {"command":"date && uname -a"}',
    hint: "A command waits until you allow it, once or for good.",
  },
];

const asked: readonly Example[] = [
  {
    title: "Look around",
    text: "What is in this folder?",
    hint: "The agent lists and reads files.",
  },
  {
    title: "Find something",
    text: "Find every TODO here and list them by file.",
    hint: "The agent searches, and shows what it found.",
  },
  {
    title: "Run something",
    text: "Run the tests of this project and tell me what fails.",
    hint: "Commands wait until you allow them.",
  },
];

export interface ExamplesProps {
  readonly isRehearsal: boolean;
  readonly onChoose: (text: string) => void;
}

export default function Examples({ isRehearsal, onChoose }: ExamplesProps) {
  return (
    <div className="mx-auto max-w-lg py-8">
      <h2 className="font-semibold text-xl">See what your agent is doing</h2>
      <p className="mt-1 text-quiet text-sm">
        Ask something below. Every tool call appears here and on the board: live, and later.
      </p>
      {isRehearsal && (
        <p className="mt-3 rounded-lg border border-line bg-sunken px-3 py-2 text-sm">
          This is a rehearsal: a scripted model that needs no key and calls real tools. For real
          answers set <code className="font-mono text-xs">CALLBOARD_MODEL</code> and its key, and
          start again.
        </p>
      )}
      <ul className="mt-4 space-y-2">
        {(isRehearsal ? rehearsed : asked).map(({ title, text, hint }) => (
          <li key={text}>
            <button
              type="button"
              className="w-full cursor-pointer rounded-lg border border-line bg-raised px-3 py-2 text-left hover:border-accent hover:bg-chosen"
              onClick={() => onChoose(text)}
            >
              <span className="flex items-baseline justify-between gap-3">
                <span className="shrink-0 font-medium">{title}</span>
                <span className="truncate font-mono text-quiet text-xs">{text}</span>
              </span>
              <span className="block text-quiet text-sm">{hint}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** What an empty conversation offers: what can be done here, one click away. */
const examples = [
  { text: "tour", hint: "watch an agent list, read, search, edit, run a command and delegate" },
  { text: "hello", hint: "the shortest conversation there is" },
] as const;

export function Examples({ onChoose }: { readonly onChoose: (text: string) => void }) {
  return (
    <div className="mx-auto max-w-md py-10 text-center">
      <h2 className="font-medium text-lg">Nothing said yet</h2>
      <p className="mt-1 text-quiet text-sm">
        Ask something below. Every tool call appears here and on the board, live and later.
      </p>
      <ul className="mt-4 space-y-2">
        {examples.map(({ text, hint }) => (
          <li key={text}>
            <button
              type="button"
              className="w-full rounded border border-line bg-raised px-3 py-2 text-left"
              onClick={() => onChoose(text)}
            >
              <span className="font-mono">{text}</span>
              <span className="block text-quiet text-sm">{hint}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

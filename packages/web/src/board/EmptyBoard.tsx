/** The board before the first call: what will be seen here, and how to read it. */
const states: readonly (readonly [icon: string, colour: string, word: string, what: string])[] = [
  ["✎", "text-arguments", "writing arguments", "the model is writing what it asks for"],
  ["?", "text-approval", "waiting for approval", "you decide, in the chat"],
  ["◌", "text-queued", "queued", "it waits for its turn"],
  ["▸", "text-running", "running", "with its output as it comes"],
  ["✓", "text-done", "done", "with what came of it, and how long it ran"],
  ["✗", "text-failed", "failed", "with the reason; also denied, timed out"],
  ["■", "text-stopped", "stopped", "cancelled by you, or interrupted by a crash"],
];

export function EmptyBoard() {
  return (
    <div className="grow overflow-y-auto p-6">
      <div className="mx-auto max-w-md">
        <h2 className="font-medium">No calls yet</h2>
        <p className="mt-1 text-quiet text-sm">
          Every tool call appears here on a timeline, from the first character of its arguments to
          its end. Each one is in one of seven states:
        </p>
        <dl className="mt-4 space-y-1.5 text-sm">
          {states.map(([icon, colour, word, what]) => (
            <div key={word} className="flex items-baseline gap-2">
              <dt className={`flex w-44 shrink-0 gap-2 ${colour}`}>
                <span aria-hidden="true" className="w-3 text-center">
                  {icon}
                </span>
                {word}
              </dt>
              <dd className="text-quiet">{what}</dd>
            </div>
          ))}
        </dl>
      </div>
    </div>
  );
}

/** The keys of the page. Loaded on request. */
import { Dialog } from "./Dialog.js";

const keys: readonly (readonly [string, string])[] = [
  ["?", "this help"],
  ["j / k", "next, previous call on the board"],
  ["e", "next failure"],
  ["/", "filter the calls"],
  ["+ / - / 0", "magnify the timeline, less, show all of it"],
  ["Enter", "go to the details of the chosen call"],
  ["Esc", "back: leave the field, close the details"],
  ["← / →", "in a replay: one event back, one on"],
  ["l", "from a replay back to live"],
  ["1 … 9", "answer the question that shows these keys"],
  ["m", "write a message"],
  ["Esc in the message", "stop what runs"],
  ["Shift + Enter", "a new line in the message"],
];

export default function HelpDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Keyboard" onClose={onClose}>
      <dl className="grid grid-cols-[max-content_1fr] gap-x-4 gap-y-1 text-sm">
        {keys.map(([key, what]) => (
          <div key={key} className="contents">
            <dt>
              <kbd className="key">{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}

/** The waiting messages of a run, and the unread ones: to be changed, sent earlier or removed. */
import type { RunView } from "@callboard/client";
import { Icon } from "../values/Icon.js";
import { visibleProse } from "../values/visibleText.js";

type Waiting = RunView["queue"][number];

export interface QueueViewProps {
  readonly waiting: readonly Waiting[];
  /** Messages of the last run that no model has read. */
  readonly returned: readonly Waiting[];
  /** Takes a message back into the text field. */
  readonly onEdit: (message: Waiting) => void;
  readonly onSteer: (message: Waiting) => void;
  readonly onRemove: (message: Waiting) => void;
  readonly onSendAgain: (message: Waiting) => void;
}

export default function QueueView(props: QueueViewProps) {
  const { waiting, returned, onEdit, onSteer, onRemove, onSendAgain } = props;
  return (
    <ul aria-label="Messages that wait" className="space-y-1 border-line border-t px-3 pt-2">
      {returned.map((message) => (
        <li key={message.messageId} className="flex items-center gap-2 text-sm">
          <span className="shrink-0 text-failed">Not delivered</span>
          <span className="min-w-0 grow truncate">{visibleProse(message.text)}</span>
          <button type="button" className="button" onClick={() => onSendAgain(message)}>
            Send again
          </button>
        </li>
      ))}
      {waiting.map((message) => (
        <li key={message.messageId} className="flex items-center gap-2 text-sm">
          <span className="shrink-0 text-quiet">
            {message.delivery === "step" ? "Steering" : "Queued"}
          </span>
          <span className="min-w-0 grow truncate">{visibleProse(message.text)}</span>
          {message.delivery === "run" && (
            <button type="button" className="button" onClick={() => onSteer(message)}>
              Send now
            </button>
          )}
          <button type="button" className="button" onClick={() => onEdit(message)}>
            Edit
          </button>
          <button
            type="button"
            className="button"
            aria-label={`Remove ${visibleProse(message.text)}`}
            onClick={() => onRemove(message)}
          >
            <Icon name="close" />
          </button>
        </li>
      ))}
    </ul>
  );
}

/** How something stands, as a dot with a shape of its own and its word. */
import { type Status, statusWords } from "./status.js";

export interface StatusDotProps {
  readonly status: Status;
  /** Where there is no room for the word it is told to readers alone. */
  readonly hasWord?: boolean;
}

export function StatusDot({ status, hasWord = false }: StatusDotProps) {
  return (
    <span className="status" data-status={status} title={statusWords[status]}>
      <span aria-hidden="true" className="status-dot" />
      <span className={hasWord ? "" : "sr-only"}>{statusWords[status]}</span>
    </span>
  );
}

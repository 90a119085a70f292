/** A state, as a dot with a shape of its own and its word. */
import { type Status, statusWords } from "./status.js";

export interface StatusDotProps {
  readonly status: Status;
  /** Without space for the word, only screen readers get it. */
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

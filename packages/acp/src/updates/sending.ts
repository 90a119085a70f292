/** An update on its way to the client. */
import type { SessionUpdate } from "./sessionUpdate.js";

/** One update in transit: call it with the result. */
export interface Sending {
  readonly update: SessionUpdate;
  /** About how many characters of unchanged fields it omits. */
  readonly spared: number;
  succeed(): void;
  fail(): void;
}

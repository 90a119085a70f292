/** How many runs, and tools of clients in them, one user may have open on a node; or the guests of one address. */
import { tooManyOfOne } from "./refusals.js";
import type { Share } from "./runRequest.js";

export interface RoomForRuns {
  /** Undefined limits nothing. */
  readonly maxRunsPerUser: number | undefined;
  readonly maxClientToolsPerUser: number | undefined;
}

/** Throws a 429 if the owner of the share has too many of either. `open` are the shares of all. */
export function assertRoomFor(
  { owner, clientTools }: Share,
  open: readonly Share[],
  { maxRunsPerUser, maxClientToolsPerUser }: RoomForRuns,
): void {
  const own = open.filter((share) => share.owner === owner);
  const tools = own.reduce((sum, share) => sum + share.clientTools, clientTools);
  if (own.length >= (maxRunsPerUser ?? Number.POSITIVE_INFINITY)) {
    throw tooManyOfOne("runs", maxRunsPerUser);
  }
  if (clientTools > 0 && tools > (maxClientToolsPerUser ?? Number.POSITIVE_INFINITY)) {
    throw tooManyOfOne("client tools in open runs", maxClientToolsPerUser);
  }
}

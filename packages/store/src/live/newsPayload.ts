/** What nodes tell each other of a commit: which runs moved, and to where. Both ends of that wire. */
export const newsChannel = "callboard_news";

/** PostgreSQL takes at most 8,000 bytes in one notification. */
const maxBytes = 7_900;

export type Moved = readonly [runId: string, lastSeq: number];

export function newsPayloads(moved: readonly Moved[]): readonly string[] {
  const payloads: string[] = [];
  let payload = "";
  for (const [runId, lastSeq] of moved) {
    const entry = `${runId}:${lastSeq}`;
    if (payload.length + entry.length + 1 > maxBytes) {
      payloads.push(payload);
      payload = "";
    }
    payload += payload === "" ? entry : ` ${entry}`;
  }
  if (payload !== "") payloads.push(payload);
  return payloads;
}

export function movedIn(payload: string): readonly Moved[] {
  return payload.split(" ").flatMap((entry) => {
    const [, runId, lastSeq] = /^([0-9a-f-]{36}):(\d+)$/.exec(entry) ?? [];
    return runId === undefined ? [] : [[runId, Number(lastSeq)] as const];
  });
}

export function cancelPayload(runId: string): string {
  return `cancel ${runId}`;
}

export function cancelIn(payload: string): string | undefined {
  return /^cancel ([0-9a-f-]{36})$/.exec(payload)?.[1];
}

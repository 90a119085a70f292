/** The key of a call on a page: providers repeat call ids between runs. */
export interface CallKey {
  readonly runId: string;
  readonly callId: string;
}

export function trackKey({ runId, callId }: CallKey): string {
  return `${runId} ${callId}`;
}

/** Of the call that a call works for. */
export function parentKey({
  runId,
  parentCallId,
}: {
  readonly runId: string;
  readonly parentCallId?: string;
}): string | undefined {
  return parentCallId === undefined ? undefined : trackKey({ runId, callId: parentCallId });
}

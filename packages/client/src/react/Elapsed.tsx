/**
 * How long a call has run, from its events' own times: it survives a reload, omits waiting for
 * approval and stops at the end. It ticks only while the call runs.
 */
import { durationText, msIn } from "@callboard/run-log/projections";
import { type ComponentPropsWithoutRef, useEffect, useState } from "react";
import { useBoard } from "./provider.js";
import { useShownCall } from "./ToolCall.js";

export type ElapsedProps = Omit<ComponentPropsWithoutRef<"time">, "children" | "dateTime"> & {
  readonly tickMs?: number;
};

export function Elapsed({ tickMs = 1_000, ...attributes }: ElapsedProps) {
  const { clock } = useBoard().client.streamSetup;
  const { call } = useShownCall();
  const [now, setNow] = useState(() => clock.now());
  const isRunning = call.state === "running";
  useEffect(() => {
    if (!isRunning) return undefined;
    const stop = new AbortController();
    const tick = async (): Promise<void> => {
      while (!stop.signal.aborted) {
        setNow(clock.now());
        await clock.sleep(tickMs, stop.signal);
      }
    };
    void tick();
    return () => stop.abort();
  }, [clock, isRunning, tickMs]);
  const ranMs = msIn(call, "running", call.closedAt ?? now);
  if (ranMs === 0) return null;
  return (
    <time dateTime={`PT${(ranMs / 1_000).toFixed(3)}S`} suppressHydrationWarning {...attributes}>
      {durationText(ranMs)}
    </time>
  );
}

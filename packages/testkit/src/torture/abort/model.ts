/** The rehearsal as an agent that will be stopped sees it: every request and its signal are kept. */
import { createRehearsalModel } from "@callboard/agent-sdk/testing";
import { type ModelCall, promptFaultsOf, type RehearsalModel } from "../promptFaults.js";
import type { HurryingClock } from "./hurryingClock.js";

export interface ModelRequest {
  readonly run: number;
  readonly faults: readonly string[];
  /** Whether it has said its last part, so that there is nothing left to stop. */
  isOver: boolean;
  /** How often its signal was aborted. */
  stops: number;
}

export interface WatchedModelOptions {
  readonly clock: HurryingClock;
  readonly paceMs: number;
  readonly isDeaf: boolean;
  readonly notice: () => void;
  readonly currentRun: () => number;
  readonly requests: ModelRequest[];
}

export function createWatchedModel(options: WatchedModelOptions): RehearsalModel {
  const { clock, paceMs, isDeaf, notice, currentRun, requests } = options;
  const rehearsal = createRehearsalModel({ clock, paceMs });

  function begun(call: ModelCall): { readonly request: ModelRequest; readonly heard: ModelCall } {
    const faults = promptFaultsOf(call.prompt);
    const request: ModelRequest = { run: currentRun(), faults, isOver: false, stops: 0 };
    call.abortSignal?.addEventListener("abort", () => {
      request.stops += 1;
    });
    requests.push(request);
    notice();
    const { abortSignal: _, ...deaf } = call;
    return { request, heard: isDeaf ? deaf : call };
  }

  return {
    ...rehearsal,
    async doStream(call) {
      const { request, heard } = begun(call);
      const reader = (await rehearsal.doStream(heard)).stream.getReader();
      const stream = new ReadableStream(
        {
          async pull(controller) {
            const { done, value } = await reader.read();
            request.isOver ||= done || value.type === "finish" || value.type === "error";
            notice();
            if (done) controller.close();
            else controller.enqueue(value);
          },
          cancel: (reason) => reader.cancel(reason),
        },
        { highWaterMark: 0 },
      );
      return { stream };
    },
    async doGenerate(call) {
      const { request, heard } = begun(call);
      try {
        return await rehearsal.doGenerate(heard);
      } finally {
        request.isOver = true;
        notice();
      }
    },
  };
}

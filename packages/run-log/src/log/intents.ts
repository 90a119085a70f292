/**
 * What a writer may request: imperatives, one for each event. A writer never creates events itself. `at` is the time of
 * the writer; `decide` adds offsets, positions and automatic closings.
 */
import type { CallOutcome, FailureOutcome, Location, Progress } from "./events/callEvents.js";
import type { ProviderData } from "./events/envelope.js";
import type { EventOf, RunEventType } from "./events/index.js";
import type { CallId, MessageId, PartId, RunId } from "./ids.js";

type Envelope = "v" | "runId" | "seq" | "at" | "type" | "from";
type Body<Type extends RunEventType, Without extends string = never> =
  EventOf<Type> extends infer Event
    ? Event extends unknown
      ? Omit<Event, Envelope | Without>
      : never
    : never;

interface At {
  readonly at: number;
}

/** Progress as a tool reports it, without the offset of a piece of output: the log knows it. */
export type ProgressReport =
  | Exclude<Progress, { type: "output" }>
  | { readonly type: "output"; readonly text: string };

/** How a call ends. `errorType` defaults to the name of the outcome. */
export type CallEnding =
  | Omit<Body<"call.closed"> & { outcome: "ok" }, "callId">
  | (Omit<Body<"call.closed"> & { outcome: FailureOutcome }, "callId" | "errorType" | "outcome"> & {
      readonly outcome: FailureOutcome;
      readonly errorType?: string;
    });

/** Other arguments for a call, with the title and the places that go with them. */
export type Amendment = Omit<Body<"call.input.amended">, "callId" | "amendedBy">;

interface PartClosing {
  readonly messageId: MessageId;
  readonly partId: PartId;
  readonly providerData?: ProviderData;
}

/** A request to change a run. `decide` answers it. */
export type Intent = At &
  (
    | ({ readonly type: "startRun" } & Body<"run.started"> & Pick<EventOf<"run.started">, "runId">)
    | ({
        readonly type: "closeRun";
        /** The run that waiting messages are carried to. Without one they are returned. */
        readonly nextRunId?: RunId;
      } & Body<"run.closed", "usage" | "calls">)
    | { readonly type: "parkRun" }
    | { readonly type: "resumeRun" }
    | ({ readonly type: "reportStatus" } & Body<"status.reported">)
    | ({ readonly type: "emitData" } & Body<"data.emitted">)
    /** Closes the text that it interrupts: what follows is another part. */
    | ({ readonly type: "reportError" } & Body<"error.reported">)
    | ({ readonly type: "reportUsage" } & Body<"usage.reported">)
    | ({ readonly type: "compactContext" } & Body<"context.compacted">)
    | ({ readonly type: "noteHook" } & Body<"hook.answered">)
    | ({ readonly type: "queueMessage" } & Body<"message.queued">)
    | ({ readonly type: "requeueMessage" } & Body<"message.requeued">)
    | { readonly type: "removeQueued"; readonly messageId: MessageId }
    /** The waiting message becomes a message of the run. */
    | { readonly type: "deliverQueued"; readonly messageId: MessageId }
    | ({ readonly type: "openMessage" } & Body<"message.opened">)
    | ({ readonly type: "closeMessage" } & Body<"message.closed">)
    | ({ readonly type: "appendText" } & Body<"text.delta", "offset">)
    /** Closes the part that is open in the message, if that is another one. */
    | ({ readonly type: "closeText" } & PartClosing)
    | ({ readonly type: "appendReasoning" } & Body<"reasoning.delta", "offset">)
    | ({ readonly type: "closeReasoning"; readonly signature?: string } & PartClosing)
    | ({ readonly type: "attachImage" } & Body<"image.attached">)
    | ({ readonly type: "openCall" } & Body<"call.opened">)
    | ({ readonly type: "appendInput" } & Body<"call.input.delta", "offset">)
    | {
        readonly type: "closeInput";
        readonly callId: CallId;
        /** The whole text if the provider repeats it; otherwise the appended text. */
        readonly text?: string;
        /** Why the arguments must not be used although they may parse, for example those of an answer that was cut. */
        readonly problem?: string;
        readonly title?: string;
        readonly locations?: readonly Location[];
        readonly providerData?: ProviderData;
      }
    /** The call is to run with these arguments. An answer to an approval carries them itself. */
    | ({ readonly type: "amendInput" } & Amendment & {
          readonly callId: CallId;
          readonly amendedBy: string;
        })
    | ({ readonly type: "askApproval" } & Body<"call.approval.asked">)
    /** A denial closes the call in the same step. With `input` the answer changes the arguments. */
    | ({ readonly type: "answerApproval" } & Body<"call.approval.answered"> & Partial<Amendment>)
    | ({ readonly type: "startCall" } & Body<"call.run.started">)
    | {
        readonly type: "progressCall";
        readonly callId: CallId;
        readonly progress: ProgressReport;
      }
    /** Open nested calls are closed first. */
    | ({ readonly type: "closeCall"; readonly callId: CallId } & CallEnding)
  );

/** The type of an intent. */
export type IntentType = Intent["type"];
/** The intent of one type. */
export type IntentOf<Type extends IntentType> = Extract<Intent, { type: Type }>;

/** An intent without its time, which the recorder's clock gives. */
export type Timed<Type extends Intent = Intent> = Type extends unknown ? Omit<Type, "at"> : never;

/** Why calls are closed that did not end by themselves. */
export interface ClosingReason extends At {
  readonly outcome: Exclude<CallOutcome, "ok" | "denied">;
  readonly message: string;
  readonly errorType?: string;
}

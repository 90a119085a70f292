/**
 * The parts of a call on a page, unstyled: structure, texts and behaviour. Each accepts the attributes of its element.
 * Style by `data-state`. The state is shown as text, never by style alone, and each change of it is announced once;
 * streamed text is not.
 */
import { type CallTrack, describeTrack } from "@callboard/run-log/projections";
import {
  type ComponentPropsWithoutRef,
  createContext,
  type FunctionComponent,
  type ReactNode,
  useContext,
  useId,
  useMemo,
} from "react";
import { useToolCall } from "./hooks.js";
import { RenderedPart } from "./renderers.js";

interface Shown {
  readonly call: CallTrack;
  /** The run to answer to; absent for a call that is not followed. */
  readonly runId: string | undefined;
  readonly titleId: string;
}

const CallContext = createContext<Shown | undefined>(undefined);

/** The call whose parts these are; throws outside `ToolCall.Root`. */
export function useShownCall(): Shown {
  const shown = useContext(CallContext);
  if (!shown) throw new Error("the parts of a call belong inside <ToolCall.Root>");
  return shown;
}

type ArticleProps = ComponentPropsWithoutRef<"article">;

export type RootProps = ArticleProps & { readonly runId?: string } & (
    | { readonly callId: string; readonly call?: never }
    /** A call from elsewhere: a stored row, a folded stream. */
    | { readonly call: CallTrack; readonly callId?: never }
  );

/** One call. With `callId` it follows the board, and alone renders when its call changes. */
function Root({ callId, call, runId, ...attributes }: RootProps) {
  if (call) return <Framed {...attributes} call={call} runId={runId} />;
  return <Followed {...attributes} callId={callId} runId={runId} />;
}

type FrameProps = ArticleProps & { readonly runId: string | undefined };

function Followed({ callId, ...props }: FrameProps & { readonly callId: string }) {
  const call = useToolCall(callId, props.runId);
  if (!call) return null;
  return <Framed {...props} call={call} runId={props.runId ?? call.runId} />;
}

function Framed({ call, runId, ...attributes }: FrameProps & { readonly call: CallTrack }) {
  const titleId = useId();
  const shown = useMemo(() => ({ call, runId, titleId }), [call, runId, titleId]);
  return (
    <CallContext.Provider value={shown}>
      <article
        aria-labelledby={titleId}
        aria-busy={call.state === "running" || call.state === "arguments"}
        data-state={call.state}
        data-tool={call.toolName}
        {...attributes}
      />
    </CallContext.Provider>
  );
}

type SpanProps = ComponentPropsWithoutRef<"span">;

/** The activity, by tense, and its target: "Reading src/app.ts". */
function Title({ children, ...attributes }: SpanProps) {
  const { call, titleId } = useShownCall();
  const { verb, target } = describeTrack(call, call.openedAt);
  return (
    <span {...attributes} id={titleId}>
      {children ?? `${verb} ${target}`.trimEnd()}
    </span>
  );
}

/** Where the call is, in a word or two. Announced when it changes. */
function Status({ children, ...attributes }: SpanProps) {
  const { call } = useShownCall();
  return (
    <span role="status" {...attributes}>
      {children ?? describeTrack(call, call.openedAt).word}
    </span>
  );
}

/** Its latest line while it runs, then its result; nothing if there is none. */
function Message(attributes: Omit<SpanProps, "children">) {
  const { call } = useShownCall();
  const text = call.outcome === undefined ? call.message : call.summary;
  return text === undefined ? null : <span {...attributes}>{text}</span>;
}

type TextProps = Omit<ComponentPropsWithoutRef<"pre">, "children">;

/** The arguments as they stream, then whole and indented. */
function Input(attributes: TextProps) {
  const { call } = useShownCall();
  const text = call.input === undefined ? call.inputText : JSON.stringify(call.input, null, 2);
  return (
    <RenderedPart call={call} part="input">
      {text === "" ? null : <pre {...attributes}>{text}</pre>}
    </RenderedPart>
  );
}

/** The output as it comes, then whole; nothing while there is none. */
function Output(attributes: TextProps) {
  const { call } = useShownCall();
  const text = call.outputText === "" ? (call.preview ?? "") : call.outputText;
  return (
    <RenderedPart call={call} part="output">
      {text === "" ? null : <pre {...attributes}>{text}</pre>}
    </RenderedPart>
  );
}

type FailureProps = Omit<ComponentPropsWithoutRef<"p">, "children">;

/** Why it did not end well; nothing when it did. */
function Failure(attributes: FailureProps) {
  const { error } = useShownCall().call;
  if (error === undefined) return null;
  return (
    <p role="alert" data-error-type={error.type} {...attributes}>
      {error.message}
    </p>
  );
}

type ImagesProps = Omit<ComponentPropsWithoutRef<"img">, "src">;

/** Pictures that the tool gave back. */
function Images(attributes: ImagesProps): ReactNode {
  const { images, toolName } = useShownCall().call;
  return images.map(({ data, mediaType = "image/png" }) => (
    <img
      key={data.slice(-64)}
      alt={`Output of ${toolName}`}
      {...attributes}
      src={`data:${mediaType};base64,${data}`}
    />
  ));
}

/** Written out: a compiler that infers it copies every attribute of the React it has into our declarations. */
export interface ToolCallParts {
  readonly Root: FunctionComponent<RootProps>;
  readonly Title: FunctionComponent<SpanProps>;
  readonly Status: FunctionComponent<SpanProps>;
  readonly Message: FunctionComponent<Omit<SpanProps, "children">>;
  readonly Input: FunctionComponent<TextProps>;
  readonly Output: FunctionComponent<TextProps>;
  readonly Failure: FunctionComponent<FailureProps>;
  readonly Images: FunctionComponent<ImagesProps>;
}

export const toolCallParts: ToolCallParts = {
  Root,
  Title,
  Status,
  Message,
  Input,
  Output,
  Failure,
  Images,
};

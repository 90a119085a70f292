/**
 * How the arguments and the output of a tool are drawn, by the name of the tool: a page registers its own components. A
 * renderer that throws is skipped, and the default is drawn instead.
 */
import type { CallTrack } from "@callboard/run-log/projections";
import { Component, createContext, Fragment, type ReactNode, useContext, useMemo } from "react";

export interface ToolRenderer {
  /** Draws the arguments; they may be incomplete while they stream. Not used in a question. */
  readonly input?: (call: CallTrack) => ReactNode;
  /** Draws the result of the call, or the result so far. */
  readonly output?: (call: CallTrack) => ReactNode;
}

export type ToolRenderers = Readonly<Record<string, ToolRenderer>>;

const none: ReadonlyMap<string, ToolRenderer> = new Map();
const RenderersContext = createContext(none);

export interface ToolRendererProviderProps {
  /** By tool name. Those of an outer provider apply if this one has none. */
  readonly renderers: ToolRenderers;
  readonly children?: ReactNode;
}

export function ToolRendererProvider({ renderers, children }: ToolRendererProviderProps) {
  const outer = useContext(RenderersContext);
  const all = useMemo(() => new Map([...outer, ...Object.entries(renderers)]), [outer, renderers]);
  return <RenderersContext.Provider value={all}>{children}</RenderersContext.Provider>;
}

export interface RenderedPartProps {
  readonly call: CallTrack;
  readonly part: keyof ToolRenderer;
  /** Drawn if nothing is registered for the tool, and if its renderer throws. */
  readonly children: ReactNode;
}

/** A part of a call as it is registered, else as it is given. */
export function RenderedPart({ call, part, children }: RenderedPartProps) {
  const draw = useContext(RenderersContext).get(call.toolName)?.[part];
  if (!draw) return <Fragment>{children}</Fragment>;
  return (
    <Guard key={`${call.runId} ${call.callId}`} fallback={children}>
      <Drawn draw={draw} call={call} />
    </Guard>
  );
}

function Drawn({
  draw,
  call,
}: {
  readonly draw: (call: CallTrack) => ReactNode;
  readonly call: CallTrack;
}) {
  return <Fragment>{draw(call)}</Fragment>;
}

interface GuardProps {
  readonly fallback: ReactNode;
  readonly children: ReactNode;
}

interface GuardState {
  readonly failure?: string;
}

/** React reports the error on the console. */
class Guard extends Component<GuardProps, GuardState> {
  override state: GuardState = {};

  static getDerivedStateFromError(error: unknown): GuardState {
    return { failure: String(error) };
  }

  override render(): ReactNode {
    const { failure } = this.state;
    return failure === undefined ? this.props.children : this.props.fallback;
  }
}

/** What a person sees if the page itself fails: the reason, and a way to continue. Without it the page would be blank. */
import { messageOfError } from "@callboard/run-log/values";
import { Component, type ReactNode } from "react";
import { ClosedDoor } from "./ClosedDoor.js";

interface PageGuardState {
  readonly reason?: string;
}

/** React reports the error on the console. */
export class PageGuard extends Component<{ readonly children: ReactNode }, PageGuardState> {
  override state: PageGuardState = {};

  static getDerivedStateFromError(error: unknown): PageGuardState {
    return { reason: messageOfError(error) };
  }

  override render(): ReactNode {
    const { reason } = this.state;
    if (reason === undefined) return this.props.children;
    return (
      <ClosedDoor title="The page stopped working.">
        {reason} Runs go on without the page, and drafts are kept.{" "}
        <button type="button" className="underline" onClick={() => location.reload()}>
          Reload the page
        </button>
      </ClosedDoor>
    );
  }
}

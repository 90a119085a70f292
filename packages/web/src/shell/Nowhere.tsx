/** In the place of what an address names and the server does not have, or does not show to this person. */
import { ClosedDoor } from "./ClosedDoor.js";

export interface NowhereProps {
  readonly what: "conversation" | "run";
  /** Leads to a new conversation. */
  readonly onLeave: () => void;
}

export function Nowhere({ what, onLeave }: NowhereProps) {
  return (
    <ClosedDoor
      isPart
      icon="search"
      title={`There is no such ${what}.`}
      action={
        <button type="button" className="button mt-2" onClick={onLeave}>
          New conversation
        </button>
      }
    >
      It was deleted, or it belongs to somebody else, or its address is not whole.
    </ClosedDoor>
  );
}

/** The ids of the server. An address with another one was mistyped; a stream that asked for it would be refused as a whole. */
export function isServerId(id: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id);
}

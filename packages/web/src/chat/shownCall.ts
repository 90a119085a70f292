/** The call that is chosen on the board: the chat marks it, and brings it into sight. */
import { createContext, useContext } from "react";
import { type CallKey, trackKey } from "../board/trackKey.js";

export interface ShownCall {
  readonly call: CallKey | undefined;
  /** A call was opened in the chat: the board shows it too. */
  readonly onSelect?: ((call: CallKey) => void) | undefined;
}

const ShownCallContext = createContext<ShownCall>({ call: undefined });

export const ShownCallProvider = ShownCallContext.Provider;

export function useShownCall(): ShownCall {
  return useContext(ShownCallContext);
}

export function isShownCall({ call }: ShownCall, key: CallKey): boolean {
  return call !== undefined && trackKey(call) === trackKey(key);
}

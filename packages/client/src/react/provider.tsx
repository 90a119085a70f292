/**
 * Gives a page its board. Nothing is opened until something on the page watches, so rendering on a
 * server, in strict mode or twice costs nothing.
 */
import { createContext, type ReactNode, useContext, useState } from "react";
import { type Board, createBoard } from "../board/board.js";
import { createClient } from "../client.js";
import type { ClientOptions } from "../clientContract.js";

const BoardContext = createContext<Board | undefined>(undefined);

export type CallboardProviderProps = { readonly children?: ReactNode } & (
  | { readonly board: Board; readonly options?: never }
  /** Read once, when the provider is first rendered. */
  | { readonly board?: never; readonly options?: ClientOptions }
);

export function CallboardProvider({ board, options, children }: CallboardProviderProps) {
  const [own] = useState(() => board ?? createBoard({ client: createClient(options) }));
  return <BoardContext.Provider value={board ?? own}>{children}</BoardContext.Provider>;
}

/** Undefined on a page without a server: a recording that is shown alone. */
export function useBoardIfAny(): Board | undefined {
  return useContext(BoardContext);
}

/** The page's board; throws outside a provider. */
export function useBoard(): Board {
  const board = useContext(BoardContext);
  if (!board) throw new Error("wrap the page in <CallboardProvider> to use Callboard's hooks");
  return board;
}

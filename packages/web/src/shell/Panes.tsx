/** The chat and the board of a conversation beside each other, with a line that moves; on a phone one at a time. */
import type { ReactNode } from "react";
import type { Pane } from "./HeaderParts.js";
import { boundedShare } from "./paneShare.js";
import { Splitter } from "./Splitter.js";
import { useKept } from "./useKept.js";

const normalShare = 48;

function shareIn(text: string): number | undefined {
  const share = Number(text);
  return text !== "" && boundedShare(share) === share ? share : undefined;
}

export interface PanesProps {
  readonly pane: Pane;
  readonly chat: ReactNode;
  readonly board: ReactNode;
}

export function Panes({ pane, chat, board }: PanesProps) {
  const [boardShare, setBoardShare] = useKept("board", shareIn, normalShare);
  return (
    <div
      data-panes=""
      className={`${pane === "history" ? "max-lg:hidden" : ""} flex min-h-0 min-w-0 grow`}
    >
      <div
        className={`${pane === "chat" ? "flex" : "hidden"} min-h-0 min-w-0 grow basis-0 flex-col ${boardShare === 100 ? "md:hidden" : "md:flex"}`}
      >
        {chat}
      </div>
      <Splitter
        label="Width of the board"
        value={boardShare}
        onChange={setBoardShare}
        normal={normalShare}
      />
      <div
        className={`${pane === "board" ? "flex" : "hidden"} board-pane min-h-0 min-w-0 ${boardShare === 0 ? "md:hidden" : "md:flex"} ${boardShare === 100 ? "md:grow" : ""}`}
        style={{ flexBasis: `${boardShare}%` }}
      >
        {board}
      </div>
    </div>
  );
}

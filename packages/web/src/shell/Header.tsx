/** The line above everything: which model answers, how the stream is, panes, looks, help. */
import type { AgentEntry } from "@callboard/client";
import { useConnection } from "@callboard/client/react";
import { ConnectionBadge } from "./ConnectionBadge.js";
import type { Choice } from "./choices.js";
import {
  IconButton,
  Mark,
  PaneButtons,
  type PaneButtonsProps,
  ThemeButton,
} from "./HeaderParts.js";
import { ModelPicker } from "./ModelPicker.js";

export interface HeaderProps extends Pick<PaneButtonsProps, "pane" | "onPane" | "hasConversation"> {
  readonly agents: readonly AgentEntry[];
  readonly choice: Choice | undefined;
  readonly onChoice: (choice: Choice) => void;
  readonly onHelp: () => void;
  /** The content has the whole page: a recording, or the reason of a refusal. */
  readonly isAlone: boolean;
  /** On a wide page the list of conversations can be put away. */
  readonly isSideShown: boolean;
  readonly onSide: (isShown: boolean) => void;
}

export function Header(props: HeaderProps) {
  const { pane, onPane, hasConversation, agents, choice, onChoice, onHelp } = props;
  const { isAlone, isSideShown, onSide } = props;
  return (
    <header className="page-header">
      {!isAlone && (
        <IconButton
          icon="side"
          label={isSideShown ? "Hide the conversations" : "Show the conversations"}
          isExpanded={isSideShown}
          className="max-lg:hidden"
          onClick={() => onSide(!isSideShown)}
        />
      )}
      <h1 className="flex items-center gap-2 font-semibold">
        <Mark />
        <span className="max-sm:sr-only">Callboard</span>
      </h1>
      <ModelPicker agents={agents} choice={choice} onChoice={onChoice} />
      <ConnectionBadge connection={useConnection()} />
      <span className="grow" />
      <ThemeButton />
      <IconButton icon="help" label="Keyboard help" onClick={onHelp} />
      {!isAlone && <PaneButtons {...{ pane, onPane, hasConversation }} />}
    </header>
  );
}

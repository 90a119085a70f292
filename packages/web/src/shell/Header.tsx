/** The line above everything: which model answers, how the stream is, panes, looks, help. */
import type { AgentEntry } from "@callboard/client";
import { useConnection } from "@callboard/client/react";
import { ConnectionBadge } from "./ConnectionBadge.js";
import type { Choice } from "./choices.js";
import { ModelPicker } from "./ModelPicker.js";
import { type Theme, useTheme } from "./theme.js";

export const panes = ["history", "chat", "board"] as const;
export type Pane = (typeof panes)[number];

const paneNames: Readonly<Record<Pane, string>> = {
  history: "History",
  chat: "Chat",
  board: "Board",
};

export interface HeaderProps {
  readonly pane: Pane;
  readonly onPane: (pane: Pane) => void;
  readonly agents: readonly AgentEntry[];
  readonly choice: Choice | undefined;
  readonly onChoice: (choice: Choice) => void;
  readonly onHelp: () => void;
  /** On a wide page the list of conversations can be put away. */
  readonly isSideShown: boolean;
  readonly onSide: (isShown: boolean) => void;
}

export function Header(props: HeaderProps) {
  const { pane, onPane, agents, choice, onChoice, onHelp, isSideShown, onSide } = props;
  const connection = useConnection();
  return (
    <header className="flex flex-wrap items-center gap-x-3 gap-y-1.5 border-line border-b px-4 py-2">
      <button
        type="button"
        className="action max-lg:hidden"
        aria-label={isSideShown ? "Hide the conversations" : "Show the conversations"}
        aria-expanded={isSideShown}
        onClick={() => onSide(!isSideShown)}
      >
        <SideIcon />
      </button>
      <h1 className="flex items-center gap-2 font-semibold">
        <Mark />
        Callboard
      </h1>
      <ModelPicker agents={agents} choice={choice} onChoice={onChoice} />
      <ConnectionBadge connection={connection} />
      <span className="grow" />
      <ThemeButton />
      <button type="button" className="button" aria-label="Keyboard help" onClick={onHelp}>
        ?
      </button>
      <nav aria-label="Panes" className="segments w-full lg:hidden">
        {panes.map((name) => (
          <button
            key={name}
            type="button"
            aria-pressed={name === pane}
            className="button grow"
            onClick={() => onPane(name)}
          >
            {paneNames[name]}
          </button>
        ))}
      </nav>
    </header>
  );
}

const looks: Readonly<Record<Theme, { readonly sign: string; readonly next: Theme }>> = {
  system: { sign: "◐", next: "light" },
  light: { sign: "☀", next: "dark" },
  dark: { sign: "☾", next: "system" },
};

function ThemeButton() {
  const [theme, setTheme] = useTheme();
  const { sign, next } = looks[theme];
  const label = `Theme: ${theme}. Change to ${next}`;
  return (
    <button
      type="button"
      className="button"
      aria-label={label}
      title={label}
      onClick={() => setTheme(next)}
    >
      {sign}
    </button>
  );
}

function SideIcon() {
  return (
    <svg viewBox="0 0 16 16" className="size-4" aria-hidden="true">
      <rect x="1.5" y="2.5" width="13" height="11" rx="2" fill="none" stroke="currentColor" />
      <path d="M6 2.5v11" stroke="currentColor" />
    </svg>
  );
}

/** Three calls on a timeline. */
function Mark() {
  return (
    <svg viewBox="0 0 16 16" className="size-5" aria-hidden="true">
      <rect width="16" height="16" rx="3.5" className="fill-accent" />
      <g className="fill-on-accent">
        <rect x="3" y="3.5" width="5" height="2" rx="1" />
        <rect x="5.5" y="7" width="7.5" height="2" rx="1" />
        <rect x="8.5" y="10.5" width="4.5" height="2" rx="1" />
      </g>
    </svg>
  );
}

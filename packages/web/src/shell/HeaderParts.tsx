/** The common parts of every header: the logo, the theme, the panes of a narrow page. */
import { Icon, type IconName } from "../values/Icon.js";
import { type Theme, useTheme } from "./theme.js";

/** Three calls on a timeline. */
export function Mark() {
  return (
    <svg viewBox="0 0 16 16" className="size-5 shrink-0" aria-hidden="true">
      <rect width="16" height="16" rx="3.5" className="fill-accent" />
      <g className="fill-on-accent">
        <rect x="3" y="3.5" width="5" height="2" rx="1" />
        <rect x="5.5" y="7" width="7.5" height="2" rx="1" />
        <rect x="8.5" y="10.5" width="4.5" height="2" rx="1" />
      </g>
    </svg>
  );
}

export interface IconButtonProps {
  readonly icon: IconName;
  readonly label: string;
  readonly onClick: () => void;
  readonly isExpanded?: boolean;
  readonly isDisabled?: boolean;
  readonly className?: string;
}

export function IconButton(props: IconButtonProps) {
  const { icon, label, onClick, isExpanded, isDisabled = false, className = "" } = props;
  return (
    <button
      type="button"
      className={`icon-button ${className}`}
      aria-label={label}
      aria-expanded={isExpanded}
      disabled={isDisabled}
      title={label}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  );
}

const nextTheme: Readonly<Record<Theme, Theme>> = {
  system: "light",
  light: "dark",
  dark: "system",
};

export function ThemeButton() {
  const [theme, setTheme] = useTheme();
  const next = nextTheme[theme];
  return (
    <IconButton
      icon={theme}
      label={`Theme: ${theme}. Change to ${next}`}
      onClick={() => setTheme(next)}
    />
  );
}

const panes = ["history", "chat", "board"] as const;
export type Pane = (typeof panes)[number];

const names: Readonly<Record<Pane, string>> = { history: "History", chat: "Chat", board: "Board" };
/** The last one that is in sight is round at its end. */
const looks: Readonly<Record<Pane, string>> = {
  history: "",
  chat: "md:hidden",
  board: "rounded-e-md! md:hidden",
};

export interface PaneButtonsProps {
  readonly pane: Pane;
  readonly onPane: (pane: Pane) => void;
  readonly hasHistory?: boolean;
  /** Beside the history is a conversation, with a board of its own. */
  readonly hasConversation?: boolean | undefined;
}

/** Beside the history: the conversation, as one pane where the chat and the board are side by side, or what is instead of it. */
export function PaneButtons(props: PaneButtonsProps) {
  const { pane, onPane, hasHistory = true, hasConversation = true } = props;
  const wide = hasHistory ? "lg:hidden" : "md:hidden";
  return (
    <nav aria-label="Panes" className={`segments w-full ${wide}`}>
      {panes
        .filter((name) => hasHistory || name !== "history")
        .filter((name) => hasConversation || name === "history")
        .map((name) => (
          <button
            key={name}
            type="button"
            aria-pressed={name === pane}
            className={`button grow basis-0 ${looks[name]}`}
            onClick={() => onPane(name)}
          >
            {names[name]}
          </button>
        ))}
      <button
        type="button"
        aria-pressed={pane !== "history"}
        className={`button grow basis-0 ${hasConversation ? "max-md:hidden" : ""}`}
        onClick={() => onPane("chat")}
      >
        {hasConversation ? "Chat and board" : "Overview"}
      </button>
    </nav>
  );
}

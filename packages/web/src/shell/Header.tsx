/** The line above everything: which model answers, how the stream is, panes, recordings, looks, help. */
import type { AgentEntry } from "@callboard/client";
import { useConnection } from "@callboard/client/react";
import { useRef } from "react";
import { ConnectionBadge } from "./ConnectionBadge.js";
import type { Choice } from "./choices.js";
import { ModelPicker } from "./ModelPicker.js";
import { useTheme } from "./theme.js";

export const panes = ["history", "chat", "board"] as const;
export type Pane = (typeof panes)[number];

export interface HeaderProps {
  readonly pane: Pane;
  readonly onPane: (pane: Pane) => void;
  readonly agents: readonly AgentEntry[];
  readonly choice: Choice | undefined;
  readonly onChoice: (choice: Choice) => void;
  readonly onOpenRecording: (file: File) => void;
  readonly onHelp: () => void;
}

export function Header(props: HeaderProps) {
  const { pane, onPane, agents, choice, onChoice, onOpenRecording, onHelp } = props;
  const connection = useConnection();
  const [theme, setTheme] = useTheme();
  const files = useRef<HTMLInputElement>(null);
  return (
    <header className="flex flex-wrap items-center gap-x-3 gap-y-1 border-line border-b px-4 py-2">
      <h1 className="font-semibold">Callboard</h1>
      <ModelPicker agents={agents} choice={choice} onChoice={onChoice} />
      <ConnectionBadge connection={connection} />
      <span className="grow" />
      <nav aria-label="Panes" className="flex md:hidden">
        {panes.map((name) => (
          <button
            key={name}
            type="button"
            aria-pressed={name === pane}
            className="button"
            onClick={() => onPane(name)}
          >
            {name}
          </button>
        ))}
      </nav>
      <input
        ref={files}
        type="file"
        accept=".jsonl,.ndjson,.log,.txt,.json"
        aria-label="A recording"
        hidden
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (file) onOpenRecording(file);
          target.value = "";
        }}
      />
      <button type="button" className="button" onClick={() => files.current?.click()}>
        Open a recording
      </button>
      <select
        aria-label="Theme"
        className="field"
        value={theme}
        onChange={({ target: { value } }) =>
          setTheme(value === "light" || value === "dark" ? value : "system")
        }
      >
        <option value="system">system</option>
        <option value="light">light</option>
        <option value="dark">dark</option>
      </select>
      <button type="button" className="button" aria-label="Keyboard help" onClick={onHelp}>
        ?
      </button>
    </header>
  );
}

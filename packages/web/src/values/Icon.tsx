/**
 * The page's one set of icons: lines of one weight in a square of 16, in the colour of the text around them. An icon is
 * never the only label: a word is beside it, or its button has a label.
 */

/** Paths of one stroke each. */
const strokes = {
  // The state of a call.
  arguments: "M3 13l.6-2.8L11 2.8a1.4 1.4 0 0 1 2 2L5.6 12.3z M9.6 4.2l2 2",
  approval: "M5.6 6a2.4 2.4 0 1 1 3.4 2.2c-.7.4-1 .8-1 1.6 M8 12.6v.1",
  queued: "M8 4.6V8l2.2 1.4 M8 1.9a6.1 6.1 0 1 1 0 12.2A6.1 6.1 0 0 1 8 1.9",
  running: "M5.2 3.2l7 4.8-7 4.8z",
  done: "M2.8 8.6l3.4 3.4 7-7.6",
  failed: "M3.6 3.6l8.8 8.8 M12.4 3.6l-8.8 8.8",
  stopped: "M4 4h8v8H4z",
  edit: "M2.6 13.4h10.8 M3.6 10.6l.5-2.2 6-6a1.2 1.2 0 0 1 1.7 1.7l-6 6z",
  delete: "M2.8 4.2h10.4 M6 4V2.4h4V4 M4.2 4.2l.6 9.4h6.4l.6-9.4",
  // The kind of work of a tool.
  read: "M3.4 1.9h6l3.2 3.2v9H3.4z M9.2 2v3.2h3.2 M5.6 8h4.8 M5.6 10.6h4.8",
  write: "M3.4 1.9h6l3.2 3.2v9H3.4z M9.2 2v3.2h3.2 M6 11.6l.3-1.5 3-3 1.2 1.2-3 3z",
  move: "M2.4 8h10.8 M9.4 4.2L13.2 8l-3.8 3.8",
  search: "M7 2.4a4.6 4.6 0 1 1 0 9.2 4.6 4.6 0 0 1 0-9.2 M10.4 10.4l3.4 3.4",
  execute: "M1.9 3h12.2v10H1.9z M4.4 6.2L6.6 8l-2.2 1.8 M8 10.4h3.4",
  think: "M3 4.4l1 1 1.8-2 M3 8.4l1 1 1.8-2 M3 12.4l1 1 1.8-2 M8.4 4.6H13 M8.4 8.6H13 M8.4 12.6H13",
  fetch:
    "M8 1.9a6.1 6.1 0 1 1 0 12.2A6.1 6.1 0 0 1 8 1.9 M1.9 8h12.2 M8 1.9c2 1.8 2.6 3.8 2.6 6.1S10 12.3 8 14.1 M8 1.9c-2 1.8-2.6 3.8-2.6 6.1S6 12.3 8 14.1",
  agent:
    "M5 6h6a2 2 0 0 1 2 2v3.6a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V8a2 2 0 0 1 2-2z M8 6V3.2 M8 2.4v.1 M6.2 9.4v.6 M9.8 9.4v.6",
  plug: "M5.6 1.9v3.4 M10.4 1.9v3.4 M3.8 5.3h8.4v2.5a4.2 4.2 0 0 1-8.4 0z M8 12v2.2",
  ask: "M2.4 3h11.2v8H8.4L5.4 13.6V11h-3z M6.7 5.9a1.4 1.4 0 1 1 1.9 1.3c-.4.2-.6.4-.6.8 M8 9.3v.1",
  tool: "M9.8 2.3a3.6 3.6 0 0 0-3.6 4.7L2.4 10.8l2.8 2.8L9 9.8a3.6 3.6 0 0 0 4.7-4.4l-2.2 2.2-2-.5-.5-2 2.2-2.2a3.6 3.6 0 0 0-1.4-.6z",
  // The activity of the model.
  model: "M8 1.8l1.5 4.7L14.2 8l-4.7 1.5L8 14.2 6.5 9.5 1.8 8l4.7-1.5z",
  shorter: "M8 1.8v4 M5.8 3.8L8 6l2.2-2.2 M8 14.2v-4 M5.8 12.2L8 10l2.2 2.2 M2.6 8h10.8",
  // The activity of a person.
  chevron: "M6 3.6L10.4 8 6 12.4",
  close: "M3.8 3.8l8.4 8.4 M12.2 3.8l-8.4 8.4",
  plus: "M8 3v10 M3 8h10",
  minus: "M3 8h10",
  down: "M8 2.6v10.2 M3.8 8.8L8 13l4.2-4.2",
  more: "M3 8h.1 M8 8h.1 M13 8h.1",
  share: "M8 9.6V1.8 M5 4.6l3-2.8 3 2.8 M4.4 7H3v7h10V7h-1.4",
  export: "M8 2v8 M5 7.2L8 10l3-2.8 M2.6 10.6v3h10.8v-3",
  fork: "M4.4 5.6v4.8 M4.4 2.2a1.7 1.7 0 1 1 0 3.4 1.7 1.7 0 0 1 0-3.4 M4.4 10.4a1.7 1.7 0 1 1 0 3.4 1.7 1.7 0 0 1 0-3.4 M11.6 2.2a1.7 1.7 0 1 1 0 3.4 1.7 1.7 0 0 1 0-3.4 M11.6 5.6c0 2.4-1.6 3-4 3.2-2.2.2-3.2.6-3.2 1.6",
  prompt: "M2.4 3h11.2v8H8.4L5.4 13.6V11h-3z M5 6h6 M5 8.2h4",
  compare: "M8 2v12 M2.4 4h3.2v8H2.4z M10.4 4h3.2v8h-3.2z",
  side: "M1.9 3h12.2v10H1.9z M6 3v10",
  help: "M5.6 6a2.4 2.4 0 1 1 3.4 2.2c-.7.4-1 .8-1 1.6 M8 12.6v.1",
  system: "M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2 M8 2v12 M8 5l4.6-.8 M8 8h6 M8 11l4.6.8",
  light:
    "M8 5.2a2.8 2.8 0 1 1 0 5.6 2.8 2.8 0 0 1 0-5.6 M8 1.4v1.2 M8 13.4v1.2 M1.4 8h1.2 M13.4 8h1.2 M3.3 3.3l.9.9 M11.8 11.8l.9.9 M3.3 12.7l.9-.9 M11.8 4.2l.9-.9",
  dark: "M13.2 9.8A5.6 5.6 0 0 1 6.2 2.8a5.6 5.6 0 1 0 7 7z",
  warning: "M8 2.2l6.2 11.2H1.8z M8 6.4v3.2 M8 11.6v.1",
  lock: "M3.6 7.2h8.8v6.4H3.6z M5.4 7V5a2.6 2.6 0 0 1 5.2 0v2",
  all: "M2.2 3.4h5 M4.8 8h7 M8.8 12.6h5",
} as const;

export type IconName = keyof typeof strokes;

export interface IconProps {
  readonly name: IconName;
  readonly className?: string;
}

export function Icon({ name, className = "" }: IconProps) {
  return (
    <svg viewBox="0 0 16 16" className={`icon ${className}`} aria-hidden="true" data-icon={name}>
      <path d={strokes[name]} />
    </svg>
  );
}

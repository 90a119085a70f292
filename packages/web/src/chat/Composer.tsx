/** Where a message is written: Enter sends, Shift+Enter makes a line, pictures can be added or pasted. */
import type { ExecuteRequest, InputPart } from "@callboard/client";
import {
  type ClipboardEvent,
  type FormEvent,
  type KeyboardEvent,
  useId,
  useRef,
  useState,
} from "react";
import { messageOf } from "../shell/messageOf.js";

interface Picture {
  /** The same picture may be added twice. */
  readonly id: number;
  readonly name: string;
  readonly data: string;
  readonly mediaType: string;
}

export interface ComposerProps {
  readonly isRunning: boolean;
  /** Resolves when the server has taken it; the text is kept until then. */
  readonly onSend: (input: ExecuteRequest["user_input"]) => Promise<void>;
  /** Sends a message that the running model reads before its next answer. */
  readonly onSteer?: (input: ExecuteRequest["user_input"]) => Promise<void>;
  readonly onStop: () => void;
  readonly initialText?: string;
  readonly label?: string;
  readonly placeholder?: string;
}

export function Composer(props: ComposerProps) {
  const {
    isRunning,
    onSend,
    onSteer,
    onStop,
    initialText = "",
    label = "Message",
    placeholder,
  } = props;
  const [text, setText] = useState(initialText);
  const [pictures, setPictures] = useState<readonly Picture[]>([]);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const [isSending, setIsSending] = useState(false);
  const files = useRef<HTMLInputElement>(null);
  const pictureCount = useRef(0);
  const inputId = useId();
  const isEmpty = text.trim() === "" && pictures.length === 0;

  async function send(by: ComposerProps["onSend"] = onSend): Promise<void> {
    if (isEmpty || isSending) return;
    setIsSending(true);
    setProblem(undefined);
    try {
      await by(inputOf(text, pictures));
      // What was written while it was on its way is the next message.
      setText((now) => (now === text ? "" : now));
      setPictures((now) => now.filter((picture) => !pictures.includes(picture)));
    } catch (error) {
      setProblem(messageOf(error));
    } finally {
      setIsSending(false);
    }
  }

  async function add(chosen: Iterable<File>): Promise<void> {
    const images = [...chosen].filter(({ type }) => type.startsWith("image/"));
    try {
      const added = await Promise.all(
        images.map((image) => pictureOf(image, pictureCount.current++)),
      );
      setPictures((before) => [...before, ...added]);
    } catch (error) {
      setProblem(`The picture cannot be read. ${messageOf(error)}`);
    }
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    void send();
  }

  function onPaste(event: ClipboardEvent): void {
    if (event.clipboardData.files.length > 0) void add(event.clipboardData.files);
  }

  function onSubmit(event: FormEvent): void {
    event.preventDefault();
    void send();
  }

  return (
    <form className="border-line border-t p-3" onSubmit={onSubmit}>
      <label htmlFor={inputId} className="sr-only">
        {label}
      </label>
      {problem !== undefined && (
        <p role="alert" className="mb-2 text-failed text-sm">
          Not sent: {problem} Your text is still here.
        </p>
      )}
      {pictures.length > 0 && (
        <ul className="mb-2 flex flex-wrap gap-2">
          {pictures.map((picture) => (
            <li key={picture.id} className="rounded border border-line p-1 text-xs">
              {picture.name}{" "}
              <button
                type="button"
                aria-label={`Remove ${picture.name}`}
                onClick={() => setPictures(pictures.filter((one) => one !== picture))}
              >
                ✕
              </button>
            </li>
          ))}
        </ul>
      )}
      <textarea
        id={inputId}
        rows={Math.min(8, text.split("\n").length + 1)}
        className="field w-full resize-none p-2 text-base"
        placeholder={placeholder}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
      />
      <div className="mt-2 flex items-center justify-between gap-2">
        <span>
          <input
            ref={files}
            type="file"
            accept="image/*"
            multiple
            hidden
            onChange={(event) => {
              void add(event.target.files ?? []);
              // So that the same file can be chosen again.
              event.target.value = "";
            }}
          />
          <button type="button" className="button" onClick={() => files.current?.click()}>
            Add picture
          </button>
        </span>
        <span className="flex gap-2">
          {isRunning && (
            <button type="button" className="button" onClick={onStop}>
              Stop
            </button>
          )}
          {isRunning && onSteer && (
            <button
              type="button"
              className="button"
              disabled={isEmpty || isSending}
              onClick={() => void send(onSteer)}
            >
              Tell now
            </button>
          )}
          <button type="submit" className="button button-main" disabled={isEmpty || isSending}>
            {isSending ? "Sending…" : sendWord(isRunning && onSteer !== undefined)}
          </button>
        </span>
      </div>
    </form>
  );
}

function sendWord(isQueueing: boolean): string {
  return isQueueing ? "Queue" : "Send";
}

function inputOf(text: string, pictures: readonly Picture[]): ExecuteRequest["user_input"] {
  if (pictures.length === 0) return text;
  const images: InputPart[] = pictures.map(({ data, mediaType }) => ({
    type: "input_image",
    data,
    media_type: mediaType,
  }));
  return text.trim() === "" ? images : [{ type: "input_text", text }, ...images];
}

async function pictureOf(file: File, id: number): Promise<Picture> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return { id, name: file.name, data: btoa(binary), mediaType: file.type };
}

/**
 * Where a message is written: Enter sends, Shift+Enter makes a line, Esc stops what runs. Pictures and texts
 * can be added, pasted and dropped.
 */
import type { ExecuteRequest, InputPart } from "@callboard/client";
import { messageOfError } from "@callboard/run-log/values";
import {
  type ClipboardEvent,
  type DragEvent,
  type FormEvent,
  type KeyboardEvent,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
} from "react";
import { Icon } from "../values/Icon.js";
import { keepDraft, readDraft } from "./drafts.js";

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
  /** The key under which the draft is stored until it is sent; absent if it is not stored. */
  readonly draftKey?: string;
  /** Takes the focus when it is shown. */
  readonly isFirst?: boolean;
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
    draftKey,
    isFirst = false,
    label = "Message",
    placeholder,
  } = props;
  const field = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState(
    () => initialText || (draftKey === undefined ? "" : readDraft(draftKey)),
  );
  useEffect(() => {
    if (draftKey !== undefined) keepDraft(draftKey, text);
  }, [draftKey, text]);
  // On a phone the keyboard would hide what there is to read.
  useEffect(() => {
    if (isFirst && window.matchMedia("(width >= 48rem)").matches) field.current?.focus();
  }, [isFirst]);
  const [isOver, setIsOver] = useState(false);
  const [pictures, setPictures] = useState<readonly Picture[]>([]);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const [isSending, setIsSending] = useState(false);
  const [isNextWanted, setIsNextWanted] = useState(false);
  const files = useRef<HTMLInputElement>(null);
  const pictureCount = useRef(0);
  const inputId = useId();
  const isEmpty = text.trim() === "" && pictures.length === 0;

  async function send(by: ComposerProps["onSend"] = onSend): Promise<void> {
    if (isSending) setIsNextWanted(true);
    if (isEmpty || isSending) return;
    setIsSending(true);
    setProblem(undefined);
    try {
      await by(composedInputOf(text, pictures));
      // The first message of a conversation was kept before the conversation had a name.
      if (draftKey !== undefined) keepDraft(draftKey, "");
      // Text written during the sending is the next message.
      setText((now) => (now === text ? "" : now));
      setPictures((now) => now.filter((picture) => !pictures.includes(picture)));
    } catch (error) {
      setProblem(messageOfError(error));
    } finally {
      setIsSending(false);
    }
  }

  // Enter that was pressed while a message was on its way sends the one that was written meanwhile.
  const sendNext = useEffectEvent(() => {
    setIsNextWanted(false);
    void send();
  });
  useEffect(() => {
    if (isNextWanted && !isSending) sendNext();
  }, [isNextWanted, isSending]);

  async function add(chosen: Iterable<File>): Promise<void> {
    const all = [...chosen];
    const images = all.filter(({ type }) => type.startsWith("image/"));
    const others = all.filter(({ type }) => !type.startsWith("image/"));
    try {
      const added = await Promise.all(
        images.map((image) => pictureOf(image, pictureCount.current++)),
      );
      setPictures((before) => [...before, ...added]);
      const texts = await Promise.all(others.map(fencedText));
      if (texts.length > 0) setText((before) => [before, ...texts].filter(Boolean).join("\n\n"));
    } catch (error) {
      setProblem(`The file cannot be read. ${messageOfError(error)}`);
    }
  }

  function onDrop(event: DragEvent): void {
    setIsOver(false);
    if (event.dataTransfer.files.length === 0) return;
    event.preventDefault();
    void add(event.dataTransfer.files);
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === "Escape" && isRunning && text === "") onStop();
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    void send();
  }

  function onPaste(event: ClipboardEvent): void {
    if (event.clipboardData.files.length === 0) return;
    event.preventDefault();
    void add(event.clipboardData.files);
  }

  function onSubmit(event: FormEvent): void {
    event.preventDefault();
    void send();
  }

  return (
    <form
      className="composer"
      data-over={isOver || undefined}
      onSubmit={onSubmit}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={onDrop}
    >
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
                <Icon name="close" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <textarea
        ref={field}
        id={inputId}
        data-message-field={draftKey === undefined ? undefined : ""}
        rows={Math.min(8, text.split("\n").length + 1)}
        className="field w-full resize-none p-2 text-[0.9375rem]"
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
            multiple
            hidden
            onChange={(event) => {
              void add(event.target.files ?? []);
              // So that the same file can be chosen again.
              event.target.value = "";
            }}
          />
          <button type="button" className="button" onClick={() => files.current?.click()}>
            Add files
          </button>
        </span>
        <span className="flex gap-2">
          {isRunning && (
            <button type="button" className="button" title="Esc in the message" onClick={onStop}>
              Stop
            </button>
          )}
          {isRunning && onSteer && (
            <button
              type="button"
              className="button"
              title="The running model reads it before its next answer"
              disabled={isEmpty || isSending}
              onClick={() => void send(onSteer)}
            >
              Send now
            </button>
          )}
          <button
            type="submit"
            className="button button-main"
            title={isRunning && onSteer ? "Sent when this run is over" : undefined}
            disabled={isEmpty || isSending}
          >
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

function composedInputOf(text: string, pictures: readonly Picture[]): ExecuteRequest["user_input"] {
  if (pictures.length === 0) return text;
  const images: InputPart[] = pictures.map(({ data, mediaType }) => ({
    type: "input_image",
    data,
    media_type: mediaType,
  }));
  return text.trim() === "" ? images : [{ type: "input_text", text }, ...images];
}

/** A file longer than this is better read by a tool. */
const longestText = 200_000;

/** A text file as part of the message, under its name. */
async function fencedText(file: File): Promise<string> {
  if (file.size > longestText) throw new Error(`${file.name} is longer than 200 KB.`);
  const text = await file.text();
  if (text.includes("\0")) throw new Error(`${file.name} is neither a picture nor text.`);
  const fence = text.includes("```") ? "````" : "```";
  return `${file.name}:\n${fence}\n${text.trimEnd()}\n${fence}`;
}

async function pictureOf(file: File, id: number): Promise<Picture> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return { id, name: file.name, data: btoa(binary), mediaType: file.type };
}

/** The AI SDK's own `Chat` without a page: what `useChat` does with requests, streams and answers. */
import {
  AbstractChat,
  type ChatInit,
  type ChatState,
  type ChatStatus,
  DefaultChatTransport,
  type UIMessage,
} from "ai";
import type { TestPlace, TestUser } from "./place.js";

class State implements ChatState<UIMessage> {
  status: ChatStatus = "ready";
  error: Error | undefined;
  messages: UIMessage[];

  constructor(messages: UIMessage[]) {
    this.messages = messages;
  }

  pushMessage = (message: UIMessage): void => {
    this.messages = [...this.messages, message];
  };
  popMessage = (): void => {
    this.messages = this.messages.slice(0, -1);
  };
  replaceMessage = (index: number, message: UIMessage): void => {
    this.messages = this.messages.with(index, structuredClone(message));
  };
  snapshot = <T>(thing: T): T => structuredClone(thing);
}

export class TestChat extends AbstractChat<UIMessage> {
  constructor({ messages = [], ...init }: ChatInit<UIMessage>) {
    super({ ...init, state: new State(messages) });
  }
}

export interface TestChatOptions
  extends Pick<
    ChatInit<UIMessage>,
    "sendAutomaticallyWhen" | "onToolCall" | "onFinish" | "messages" | "generateId"
  > {
  readonly id: string;
  readonly body?: object;
  /** Where the stream is resumed, if it is not where the AI SDK resumes it. */
  readonly address?: string;
}

/** A chat of one user. `requests` counts what it has sent. */
export function createTestChat(
  place: TestPlace,
  user: TestUser,
  { body = {}, address, ...init }: TestChatOptions,
): { readonly chat: TestChat; readonly requests: () => number } {
  let count = 0;
  const transport = new DefaultChatTransport<UIMessage>({
    api: place.url("/api/chat"),
    headers: user.headers,
    body,
    ...(address !== undefined && {
      prepareReconnectToStreamRequest: () => ({ api: place.url(address) }),
    }),
    fetch: (...request) => {
      count += 1;
      return fetch(...request);
    },
  });
  return { chat: new TestChat({ ...init, transport }), requests: () => count };
}

/** What a message shows, in short. */
export function partsOf(message: UIMessage | undefined): readonly string[] {
  return (message?.parts ?? []).flatMap((part) => {
    if (part.type === "text") return [`text: ${part.text}`];
    if ("state" in part) return [`${part.type} ${part.state}`];
    return part.type.startsWith("data-") ? [] : [part.type];
  });
}

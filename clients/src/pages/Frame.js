/**
 * What every page shows, so that one driver can use them all: the messages with their texts and tools, the
 * question that is open, the last error, and a box to write in. The client under test does everything else.
 */
import { Component, useState } from "react";
import { createRoot } from "react-dom/client";

/**
 * @typedef {object} ShownTool
 * @property {string} id
 * @property {string} name
 * @property {"running" | "asking" | "done" | "failed" | "denied"} state
 * @property {string} output
 *
 * @typedef {object} ShownMessage
 * @property {string} id
 * @property {"user" | "assistant"} role
 * @property {readonly string[]} texts
 * @property {readonly ShownTool[]} tools
 */

/** @param {{ message: ShownMessage }} props */
export function Message({ message: { role, texts, tools } }) {
  return (
    <li data-role={role}>
      {texts.map((text, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: texts have no ids and only grow
        <p key={index}>{text}</p>
      ))}
      {tools.map(({ id, name, state, output }) => (
        <pre key={id} data-tool={name} data-state={state}>
          {output}
        </pre>
      ))}
    </li>
  );
}

/** @param {{ onAnswer: (isAllowed: boolean) => void }} props */
export function Question({ onAnswer }) {
  return (
    <div role="dialog">
      <button type="button" onClick={() => onAnswer(true)}>
        Allow
      </button>
      <button type="button" onClick={() => onAnswer(false)}>
        Deny
      </button>
    </div>
  );
}

/**
 * @param {object} props
 * @param {readonly ShownMessage[]} props.messages
 * @param {boolean} props.isBusy
 * @param {string | undefined} props.error
 * @param {((isAllowed: boolean) => void) | undefined} props.onAnswer there while something is asked
 * @param {(text: string) => void} props.onSend
 * @param {() => void} props.onStop
 * @param {() => void} props.onRegenerate
 * @param {(text: string) => void} props.onEdit says the last message of the user in other words
 */
export function Frame(props) {
  const { messages, isBusy, error, onAnswer, onSend, onStop, onRegenerate, onEdit } = props;
  const [text, setText] = useState("");
  const taken = (use) => () => {
    use(text);
    setText("");
  };
  return (
    <main data-status={isBusy ? "busy" : "ready"}>
      <ol>
        {messages.map((message) => (
          <Message key={message.id} message={message} />
        ))}
      </ol>
      {onAnswer && <Question onAnswer={onAnswer} />}
      {error !== undefined && <p role="alert">{error}</p>}
      <textarea value={text} onChange={(event) => setText(event.target.value)} />
      <button type="button" onClick={taken(onSend)}>
        Send
      </button>
      <button type="button" onClick={taken(onEdit)}>
        Edit
      </button>
      <button type="button" onClick={onStop}>
        Stop
      </button>
      <button type="button" onClick={onRegenerate}>
        Regenerate
      </button>
    </main>
  );
}

/** An exception in a client is shown, so that the scenario can say what it was. */
class Crash extends Component {
  state = { error: undefined };

  static getDerivedStateFromError(error) {
    return { error };
  }

  render() {
    const { error } = this.state;
    return error === undefined ? this.props.children : <p role="alert">crashed: {String(error)}</p>;
  }
}

/** @param {import("react").ReactNode} page */
export function show(page) {
  const root = globalThis.document.createElement("div");
  globalThis.document.body.append(root);
  createRoot(root).render(<Crash>{page}</Crash>);
}

/** @param {unknown} value */
export function asText(value) {
  if (value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

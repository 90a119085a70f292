/**
 * The terminals of a client of v1: an agent creates them by requests, uses and shows them, and releases them. Only what
 * the recording itself shows is judged; terminals that an agent names by `_meta` are its own.
 */
import type {
  AcpConnection,
  AcpMessage,
  AcpRequest,
  KnownVersion,
} from "../../lines/acp/connection.js";
import { terminalsIn } from "../../lines/acp/toolCalls.js";
import { type Fields, fieldsOf, isFields, nameOf, textOf } from "../../values/fields.js";
import { type Remark, suspicion, violation } from "../rules.js";

type Answer = Extract<AcpMessage, { type: "answer" }>;

export interface AcpTerminals {
  asked(request: AcpRequest, connection: AcpConnection): readonly Remark[];
  answered(answer: Answer): void;
  /** What is certain once no line follows. */
  end(): readonly Remark[];
}

interface Terminal {
  isShown: boolean;
  isReleased: boolean;
}

export function createAcpTerminals(): AcpTerminals {
  const terminals = new Map<string, Terminal>();
  /** The start of the connection is recorded, so every terminal that was created is known. */
  let isWhole = false;
  /** The terminals that an agent of v1 names by `_meta`, and those of v2 that have ended. */
  const named = new Set<string>();
  const exited = new Set<string>();

  function used(method: string, id: string): readonly Remark[] {
    const terminal = terminals.get(id);
    if (!terminal) return isWhole ? [notOpen(`${method} of ${id}, which was never created`)] : [];
    if (terminal.isReleased) return [notOpen(`${method} of ${id} after its release`)];
    if (method === "terminal/release") terminal.isReleased = true;
    return [];
  }

  function shown(update: Fields, version: KnownVersion): readonly Remark[] {
    const callId = nameOf(update.toolCallId);
    const info = nameOf(fieldsOf(fieldsOf(update._meta)?.terminal_info)?.terminal_id);
    if (info !== undefined) named.add(info);
    return terminalsIn(update).flatMap((id) => {
      const terminal = terminals.get(id);
      if (!terminal && version === 1 && isWhole && !named.has(id)) {
        named.add(id);
        return [notOpen(`${id} is shown, which was never created`, callId)];
      }
      if (!terminal || terminal.isShown) return [];
      terminal.isShown = true;
      if (!terminal.isReleased) return [];
      return [notOpen(`${id} is shown for the first time after its release`, callId)];
    });
  }

  /** A terminal of v2, which the agent has itself. */
  function printed(update: Fields): readonly Remark[] {
    const id = nameOf(update.terminalId);
    if (id === undefined) return [];
    if (update.sessionUpdate === "terminal_update") {
      if (isFields(update.exitStatus)) exited.add(id);
      return [];
    }
    const data = textOf(update.data) ?? "";
    const isBase64 = data.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(data);
    return [
      ...(isBase64 ? [] : [violation("malformed-content", `the output of ${id} is no base64`)]),
      ...(exited.delete(id) ? [suspicion("terminal-not-open", `${id} prints after its exit`)] : []),
    ];
  }

  return {
    asked({ side, method, params }, { isClientHeard, version }) {
      if (side === "client") {
        isWhole ||= method === "initialize";
        return [];
      }
      const update = fieldsOf(params.update) ?? {};
      if (textOf(update.sessionUpdate)?.startsWith("terminal_")) return printed(update);
      if (method === "session/update") return shown(update, version ?? 1);
      const id = nameOf(params.terminalId);
      const isUse = method.startsWith("terminal/") && method !== "terminal/create";
      return isUse && id !== undefined && isClientHeard ? used(method, id) : [];
    },
    answered({ request, result }) {
      const id = nameOf(result?.terminalId);
      if (request?.method !== "terminal/create" || id === undefined) return;
      terminals.set(id, { isShown: false, isReleased: false });
    },
    end: () =>
      [...terminals].flatMap(([id, { isReleased }]) =>
        isReleased ? [] : [suspicion("terminal-left-open", `${id} was never released`)],
      ),
  };
}

function notOpen(message: string, callId?: string): Remark {
  return violation("terminal-not-open", message, callId);
}

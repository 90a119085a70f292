/**
 * The terminals of a client of v1: an agent creates them by requests, uses and shows them, and releases them. Only what
 * the recording itself shows is judged; terminals that an agent names by `_meta` are its own.
 */
import type { AcpConnection, AcpMessage, AcpRequest } from "../../lines/acp/connection.js";
import { terminalsIn } from "../../lines/acp/toolCalls.js";
import { type Fields, fieldsOf, nameOf } from "../../values/fields.js";
import { type Remark, violation } from "../rules.js";

type Answer = Extract<AcpMessage, { type: "answer" }>;

export interface AcpTerminals {
  asked(request: AcpRequest, connection: AcpConnection): readonly Remark[];
  answered(answer: Answer): void;
}

interface Terminal {
  isShown: boolean;
  isReleased: boolean;
}

export function createAcpTerminals(): AcpTerminals {
  const terminals = new Map<string, Terminal>();
  /** The start of the connection is recorded, so every terminal that was created is known. */
  let isWhole = false;

  function used(method: string, id: string): readonly Remark[] {
    const terminal = terminals.get(id);
    if (!terminal) return isWhole ? [notOpen(`${method} of ${id}, which was never created`)] : [];
    if (terminal.isReleased) return [notOpen(`${method} of ${id} after its release`)];
    if (method === "terminal/release") terminal.isReleased = true;
    return [];
  }

  function shown(update: Fields): readonly Remark[] {
    const callId = nameOf(update.toolCallId);
    return terminalsIn(update).flatMap((id) => {
      const terminal = terminals.get(id);
      if (!terminal || terminal.isShown) return [];
      terminal.isShown = true;
      if (!terminal.isReleased) return [];
      return [notOpen(`${id} is shown for the first time after its release`, callId)];
    });
  }

  return {
    asked({ side, method, params }, { isClientHeard }) {
      if (side === "client") {
        isWhole ||= method === "initialize";
        return [];
      }
      if (method === "session/update") return shown(fieldsOf(params.update) ?? {});
      const id = nameOf(params.terminalId);
      const isUse = method.startsWith("terminal/") && method !== "terminal/create";
      return isUse && id !== undefined && isClientHeard ? used(method, id) : [];
    },
    answered({ request, result }) {
      const id = nameOf(result?.terminalId);
      if (request?.method !== "terminal/create" || id === undefined) return;
      terminals.set(id, { isShown: false, isReleased: false });
    },
  };
}

function notOpen(message: string, callId?: string): Remark {
  return violation("terminal-not-open", message, callId);
}

/**
 * Recordings may wrap a message: `{ t, m }` has the milliseconds since the start of the recording and the message,
 * `{ ">": … }` a message that was sent to the agent.
 */
import { type Fields, fieldsOf, numberOf } from "../values/fields.js";

export interface Unwrapped {
  readonly value: Fields;
  /** Milliseconds since the start of the recording, if the wrapping contains it. */
  readonly later?: number;
  /** The recording marks it as sent to the agent, not by it. */
  readonly isSent?: boolean;
}

export function isWrapped(value: Fields): boolean {
  return value.t !== undefined || value[">"] !== undefined;
}

export function unwrapped(value: Fields): Unwrapped {
  const later = numberOf(value.t);
  const message = later === undefined ? undefined : fieldsOf(value.m);
  const inner = message ?? value;
  const sent = fieldsOf(inner[">"]);
  return {
    ...(sent ? { value: sent, isSent: true } : { value: inner }),
    ...(later === undefined || message === undefined ? {} : { later }),
  };
}

/**
 * Where a server reports its runs: an address, a secret, and the events. Requests are signed by Standard Webhooks:
 * `webhook-id`, `webhook-timestamp`, `webhook-signature`.
 */
import { createHmac } from "node:crypto";
import { ServerConfigurationError } from "../configurationError.js";

export const webhookEvents = ["needs_you", "failed", "done"] as const;
export type WebhookEvent = (typeof webhookEvents)[number];

export interface Webhook {
  /** https; with `isPrivate` also http. */
  readonly url: string;
  /** `whsec_` and 24 to 64 random bytes in base64. */
  readonly secret: string;
  /** Default all. */
  readonly events?: readonly WebhookEvent[];
  /** Whether it may lead to this machine or a private network. Default false: such an address is refused. */
  readonly isPrivate?: boolean;
  /**
   * The public address of this server, `https://agents.example.com`: `needs_you` then contains a link for each question,
   * and its receiver can answer. Default no links.
   */
  readonly answerLinksAt?: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The webhook of the environment; undefined if it names none. Throws a ServerConfigurationError. */
export function webhookFrom(env: Environment): Webhook | undefined {
  const { CALLBOARD_WEBHOOK_URL: url, CALLBOARD_WEBHOOK_SECRET: secret } = env;
  if (!url) return undefined;
  if (!secret) throw wrong("CALLBOARD_WEBHOOK_URL needs CALLBOARD_WEBHOOK_SECRET: set both.");
  const named = (env.CALLBOARD_WEBHOOK_EVENTS ?? "").split(",").map((name) => name.trim());
  const events = named.filter((name) => name !== "").map(eventNamed);
  const linksAt = env.CALLBOARD_WEBHOOK_ANSWER_LINKS_AT;
  return {
    url,
    secret,
    ...(events.length === 0 ? {} : { events }),
    isPrivate: env.CALLBOARD_WEBHOOK_PRIVATE === "true",
    ...(linksAt ? { answerLinksAt: linksAt } : {}),
  };
}

function eventNamed(name: string): WebhookEvent {
  const event = webhookEvents.find((one) => one === name);
  if (event) return event;
  throw wrong(
    `CALLBOARD_WEBHOOK_EVENTS has ${JSON.stringify(name)}. It takes ${webhookEvents.join(", ")}, separated by commas.`,
  );
}

/** Throws a ServerConfigurationError with the correction; it never repeats the secret. */
export function assertWebhook({ url, secret, isPrivate = false, answerLinksAt }: Webhook): void {
  const protocol = URL.canParse(url) ? new URL(url).protocol : "";
  if (protocol !== "https:" && !(isPrivate && protocol === "http:")) {
    throw wrong(
      `A webhook goes to an https address, not ${JSON.stringify(url)}. For one in your own network set isPrivate (CALLBOARD_WEBHOOK_PRIVATE=true).`,
    );
  }
  const size = signingKeyOf(secret).length;
  if (!secret.startsWith(secretPrefix) || size < 24 || size > 64) {
    throw wrong(
      'The secret of a webhook is "whsec_" and 24 to 64 random bytes in base64. Make one: echo "whsec_$(openssl rand -base64 32)".',
    );
  }
  if (answerLinksAt !== undefined && !/^https?:\/\/[^?#]+$/.test(answerLinksAt)) {
    throw wrong(
      `Answer links start with the address of this server, such as https://agents.example.com, not ${JSON.stringify(answerLinksAt)}.`,
    );
  }
}

const secretPrefix = "whsec_";

function signingKeyOf(secret: string): Buffer {
  return Buffer.from(secret.slice(secretPrefix.length), "base64");
}

function wrong(message: string): ServerConfigurationError {
  return new ServerConfigurationError(message);
}

export interface SignedMessage {
  /** The same for every attempt. */
  readonly id: string;
  readonly body: string;
}

/** The headers of one attempt. `now` is in milliseconds since the epoch. */
export function webhookHeaders(
  secret: string,
  { id, body }: SignedMessage,
  now: number,
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(now / 1_000));
  const hmac = createHmac("sha256", signingKeyOf(secret));
  const signature = hmac.update(`${id}.${timestamp}.${body}`).digest("base64");
  return {
    "content-type": "application/json",
    "user-agent": "callboard",
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${signature}`,
  };
}

/** Whether there is any among them. Throws if one cannot be used unchanged. */
export function hasWebhook(webhooks: readonly (Webhook | null | undefined)[]): boolean {
  const used = webhooks.filter((one) => one !== undefined && one !== null);
  for (const one of used) assertWebhook(one);
  return used.length > 0;
}

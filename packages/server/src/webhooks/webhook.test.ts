import { describe, expect, it } from "vitest";
import { assertWebhook, type Webhook, webhookFrom, webhookHeaders } from "./webhook.js";

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const url = "https://example.com/hook";

describe("the signature of a webhook", () => {
  it("is the one that Standard Webhooks publish for this message", () => {
    const message = { id: "msg_p5jXN8AQM9LWM0D4loKWxJek", body: '{"test": 2432232314}' };
    expect(webhookHeaders(secret, message, 1_614_265_330_999)).toEqual({
      "content-type": "application/json",
      "user-agent": "callboard",
      "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
      "webhook-timestamp": "1614265330",
      "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    });
  });
});

describe("the webhook of the environment", () => {
  const env = { CALLBOARD_WEBHOOK_URL: url, CALLBOARD_WEBHOOK_SECRET: secret };

  it("is none without an address", () => {
    expect(webhookFrom({ CALLBOARD_WEBHOOK_SECRET: secret })).toBeUndefined();
  });

  it("has its events and where its answer links lead", () => {
    expect(webhookFrom(env)).toEqual({ url, secret, isPrivate: false });
    expect(
      webhookFrom({
        ...env,
        CALLBOARD_WEBHOOK_EVENTS: "needs_you, failed",
        CALLBOARD_WEBHOOK_PRIVATE: "true",
        CALLBOARD_WEBHOOK_ANSWER_LINKS_AT: "https://agents.example.com",
      }),
    ).toEqual({
      url,
      secret,
      events: ["needs_you", "failed"],
      isPrivate: true,
      answerLinksAt: "https://agents.example.com",
    });
  });

  it("is refused where it cannot be used, without its secret in the words", () => {
    expect(() => webhookFrom({ CALLBOARD_WEBHOOK_URL: url })).toThrow("CALLBOARD_WEBHOOK_SECRET");
    expect(() => webhookFrom({ ...env, CALLBOARD_WEBHOOK_EVENTS: "all" })).toThrow(
      'CALLBOARD_WEBHOOK_EVENTS has "all". It takes needs_you, failed, done, separated by commas.',
    );
    const wrongs: readonly [Partial<Webhook>, RegExp][] = [
      [{ url: "http://example.com" }, /goes to an https address/],
      [{ url: "ftp://example.com", isPrivate: true }, /goes to an https address/],
      [{ url: "nowhere" }, /goes to an https address/],
      [{ secret: "plain" }, /whsec_/],
      [{ secret: "whsec_c2hvcnQ=" }, /24 to 64 random bytes/],
      [{ answerLinksAt: "agents.example.com" }, /Answer links start with the address/],
    ];
    for (const [wrong, words] of wrongs) {
      expect(() => assertWebhook({ url, secret, ...wrong })).toThrow(words);
    }
    expect(() => assertWebhook({ url, secret: "plain-secret" })).not.toThrow("plain-secret");
    assertWebhook({ url: "http://10.0.0.1/hook", secret, isPrivate: true });
  });
});

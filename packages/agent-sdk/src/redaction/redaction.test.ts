import { type JsonValue, type RunEvent, runEventSchema } from "@callboard/run-log";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRedactor } from "./redaction.js";
import { piecesOf, streamed } from "./testing/pieces.js";
import { createDice, type Dice, plantedKinds, plantedSecret } from "./testing/plantedSecrets.js";

const { redactText, redactJson, createEventRedactor } = createRedactor();

describe("1,000 planted secrets", () => {
  const seed = 20_260_131;
  const dice = createDice(seed);
  const secrets = Array.from({ length: 1_000 }, (_, index) => plantedSecret(dice, index));
  const hits = (place: (text: string) => string): readonly string[] =>
    secrets
      .filter(({ text, secret }) => place(text).includes(secret))
      .map(({ kind, text }) => `${kind}: ${text} -> ${place(text)}`);

  it("are of at least 40 formats", () => {
    expect(plantedKinds.length).toBeGreaterThanOrEqual(40);
    expect(new Set(secrets.map(({ kind }) => kind)).size).toBe(plantedKinds.length);
  });

  it("leave no raw hit in arguments", () => {
    expect(
      hits((text) => JSON.stringify(redactJson({ command: `run ${text} now`, list: [text] }))),
    ).toEqual([]);
  });

  it("leave no raw hit in the JSON text of arguments", () => {
    expect(hits((text) => redactText(JSON.stringify({ command: text, flags: ["-x"] })))).toEqual(
      [],
    );
  });

  it("leave no raw hit in output", () => {
    expect(hits((text) => redactText(`$ env\nPATH=/bin\n${text}\ndone (0)`))).toEqual([]);
  });

  it("leave no raw hit in errors", () => {
    expect(
      hits((text) => redactText(`Error: could not connect: ${text}\n    at a (b.js:1:2)`)),
    ).toEqual([]);
  });

  it("leave no raw hit in split deltas, which say what the whole says", () => {
    for (const { text } of secrets) {
      const whole = `The answer is ${text}\nand "more" text follows.`;
      expect(streamed(piecesOf(whole, dice))).toBe(redactText(whole));
    }
    expect(hits((text) => streamed(piecesOf(`before ${text}\nafter`, dice)))).toEqual([]);
  });

  it("leave no raw hit in the events of a log", () => {
    expect(
      hits((text) => {
        const redactEvent = createEventRedactor();
        const redacted = eventsWith(text, dice).map((event) => redactEvent(event));
        const deltas = redacted.flatMap((event) =>
          event.type === "text.delta" ? [event.text] : [],
        );
        return JSON.stringify(redacted) + deltas.join("");
      }),
    ).toEqual([]);
  });
});

function eventsWith(text: string, dice: Dice): readonly RunEvent[] {
  const of = (body: Record<string, unknown>, seq: number): RunEvent =>
    runEventSchema.parse({ v: 1, runId: "r", seq, at: 0, ...body });
  const part = { messageId: "m", partId: "p" };
  let offset = 0;
  const deltas = piecesOf(text, dice).map((piece, index) => {
    const event = of({ type: "text.delta", ...part, offset, text: piece }, index + 1);
    offset += piece.length;
    return event;
  });
  const next = deltas.length;
  return [
    ...deltas,
    of({ type: "text.closed", ...part, text, startedAt: 0 }, next + 1),
    of({ type: "call.input.closed", callId: "c", parsed: true, input: { a: [text] } }, next + 2),
    of({ type: "call.run.progressed", callId: "c", progress: { type: "preview", text } }, next + 3),
    of(
      {
        type: "call.closed",
        callId: "c",
        outcome: "error",
        errorType: "x",
        message: text,
        output: text,
      },
      next + 4,
    ),
    of({ type: "error.reported", errorType: "x", message: text, details: { text } }, next + 5),
  ];
}

describe("what is left in a secret's place", () => {
  it.each([
    [`key=ghp_${"a1".repeat(18)}`, "key=[redacted:github]"],
    ["postgres://app:s3cr3t@db/main", "postgres://app:[redacted:database_url]@db/main"],
    ['{"password":"a, \\"b\\" c","user":"x"}', '{"password":"[redacted:password]","user":"x"}'],
    ['{"password":""}', '{"password":""}'],
    ["Authorization: Bearer abcdef", "Authorization: Bearer [redacted:authorization]"],
    ["DB_PASSWORD='it is long'", "DB_PASSWORD='[redacted:password]'"],
    ["?token=abc123def&x=1", "?token=[redacted:token]&x=1"],
  ])("%s becomes %s", (text, redacted) => {
    expect(redactText(text)).toBe(redacted);
  });

  it("keeps a key's edges and drops its body, also when the end is missing", () => {
    const edge = "-----";
    const body = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC\nBKcwggSjAgEAAoIBAQ";
    expect(
      redactText(`a\n${edge}BEGIN PRIVATE KEY${edge}\n${body}\n${edge}END PRIVATE KEY${edge}\nb`),
    ).toBe(
      `a\n${edge}BEGIN PRIVATE KEY${edge}\n[redacted:private_key]${edge}END PRIVATE KEY${edge}\nb`,
    );
    expect(redactText(`${edge}BEGIN RSA PRIVATE KEY${edge}\n${body}`)).not.toContain("MIIE");
    expect(redactText(`KEY="${edge}BEGIN PRIVATE KEY${edge}\n${body}\n"`)).not.toContain("BKcw");
    expect(redactText(`${edge}BEGIN PRIVATE KEY${edge}${body.replace("\n", "")}`)).not.toContain(
      "MIIE",
    );
  });

  it("redacts under telling names, whatever the value's shape", () => {
    expect(
      redactJson({
        apiKey: "abc",
        "X-Auth-Token": "abc",
        pin: 1234,
        password: 1234,
        secrets: { a: "hidden", deep: ["w".repeat(4)] },
        max_tokens: 4096,
        nextPageToken: "CAUQAA",
        token: null,
        cookie: true,
      }),
    ).toEqual({
      apiKey: "[redacted:api_key]",
      "X-Auth-Token": "[redacted:token]",
      pin: 1234,
      password: "[redacted:password]",
      secrets: { a: "[redacted:secret]", deep: ["[redacted:secret]"] },
      max_tokens: 4096,
      nextPageToken: "CAUQAA",
      token: null,
      cookie: true,
    });
    expect(createRedactor({ keyNames: ["pin"] }).redactJson({ PIN: "1234" })).toEqual({
      PIN: "[redacted:secret]",
    });
  });

  it("a value nested without end does not break it", () => {
    const deep: JsonValue = JSON.parse(`${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`);
    expect(JSON.stringify(redactJson(deep))).toContain("too_deep");
  });

  it("twice redacted is once redacted", async () => {
    const dice = createDice(7);
    for (let index = 0; index < 200; index += 1) {
      const once = redactText(plantedSecret(dice, index).text);
      expect(redactText(once)).toBe(once);
    }
  });
});

describe("registered values", () => {
  const value = 'pa ss/wörd+"7"';
  const redactor = createRedactor({ values: [value, "abc"] });

  it("are found plain, escaped, URL-encoded, in base64 wherever they start, and in hexadecimal", () => {
    const base64 = (text: string): string => Buffer.from(text).toString("base64");
    for (const form of [
      value,
      JSON.stringify(value),
      JSON.stringify(JSON.stringify(value)),
      encodeURIComponent(value),
      new URLSearchParams({ q: value }).toString(),
      base64(value),
      base64(`u:${value}`),
      base64(`us:${value}`),
      base64(`use:${value}x`),
      Buffer.from(value).toString("base64url"),
      Buffer.from(value).toString("hex"),
    ]) {
      const redacted = redactor.redactText(`x ${form} y`);
      expect(redacted).toContain("[redacted:value]");
      expect(redacted).not.toContain(form);
    }
  });

  it("too short ones are left alone", () => {
    expect(redactor.redactText("abc")).toBe("abc");
  });

  it("are found across pieces, overlapping too", async () => {
    const own = createRedactor({ values: ["abab", "babab", "xyxyx"] });
    const text = fc.stringMatching(/^[abxy ]{0,60}$/);
    await fc.assert(
      fc.property(text, fc.integer(), (whole, seed) => {
        const redacted = streamed(piecesOf(whole, createDice(seed)), own);
        expect(redacted).toBe(own.redactText(whole));
        expect(redacted).not.toMatch(/abab|babab|xyxyx/);
      }),
    );
  });
});

describe("what is no secret stays", () => {
  it.each([
    "123e4567-e89b-42d3-a456-426614174000",
    "commit 9fceb02d0ae598e95dc970b74767f19372d61af8",
    "sha512-v2kDEe57lecTulaDIuNTPy3Ry4gLGJ6Z1O3vE1krgXZNrsQ+LFTGHVxVjcXPs17LhbZVGedAJv8XZ1tvj5FvSg==",
    `<img src="data:image/png;base64,${"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ".repeat(50)}">`,
    "const token = await getToken(request.headers);",
    "interface Login { password: string; token?: string; apiKey: string | undefined }",
    'const { password, secret } = config; if (token === "") throw new Error("no token");',
    '<input type="password" name="password" placeholder="Password">',
    "max_tokens: 4096, total_tokens=123456, promptTokens: 77",
    'The token: "string" is required. Set password: "required".',
    `export API_KEY=$API_KEY; echo \${TOKEN}`,
    "const apiKey = process.env.OPENAI_API_KEY ?? config.apiKey;",
    "https://github.com/a/b/blob/9fceb02d0ae598e95dc970b74767f19372d61af8/src/a.ts#L10-L20",
    "http://localhost:5173/@vite/client",
    "git@github.com:callboard/callboard.git",
    "The secret of a good test is that it fails. Tokens: words. Password? None.",
    "npm install npm_config_cache sk-learn task-runner-implementation-details-for-everyone",
    'class="sk-fading-circle sk-circle-bounce-delay-animation"',
    "node_modules/.cache/@babel/preset-env-7.22.5-3f8a1c2d4e5b6a7980",
    "Basic usage: Bearer authentication is described below in chapter 12.",
    "expect(secretsIn(token, before)).toEqual([]);",
    "cookie: a small text file",
  ])("%s", (text) => {
    expect(redactText(text)).toBe(text);
  });

  it("most of a big source text", () => {
    const kinds = redactText(createRedactor.toString()).match(/\[redacted:/g);
    expect(kinds).toBeNull();
  });
});

describe("secrets under the names and in the files that people have", () => {
  it.each([
    ["DB_PASS=hunterhunter", "DB_PASS=[redacted:pass]"],
    ["export SMTP_PASS=plum", "export SMTP_PASS=[redacted:pass]"],
    ["GITHUB_PAT=abcdefgh", "GITHUB_PAT=[redacted:token]"],
    ['{"user":"me","pass":"plum"}', '{"user":"me","pass":"[redacted:pass]"}'],
    [
      "https://x.blob.core.windows.net/c/b?sv=1&sig=Zm9vYmFyYmF6cXV4%3D",
      "https://x.blob.core.windows.net/c/b?sv=1&sig=[redacted:azure_sas]",
    ],
    [
      "machine example.com login me password plumtree",
      "machine example.com login me password [redacted:password]",
    ],
    [
      "machine example.com\n  login me\n  password plumtree\n",
      "machine example.com\n  login me\n  password [redacted:password]\n",
    ],
    ["<password>plumtree</password>", "<password>[redacted:password]</password>"],
    [
      '<db:password encrypted="no">plumtree</db:password>',
      '<db:password encrypted="no">[redacted:password]</db:password>',
    ],
    ["database:\n  password: plumtree\n", "database:\n  password: [redacted:password]\n"],
    ["password = plumtree", "password = [redacted:password]"],
    ['  password: "plumtree"', '  password: "[redacted:password]"'],
  ])("%j is %j", (text, expected) => {
    expect(redactText(text)).toBe(expected);
    for (const dice of [createDice(1), createDice(2)]) {
      expect(streamed(piecesOf(text, dice))).toBe(expected);
    }
  });

  it.each([
    "the tests pass: all of them",
    "bypass=somewhere compass: northeast",
    "  password: string;",
    "  password: passwordField,",
    "  password: user.password,",
    "Enter your password: required",
    "a compat: layer and a pat: on the back",
    "machine learning is about login pages",
    "<title>plumtree</title>",
  ])("%j stays", (text) => {
    expect(redactText(text)).toBe(text);
  });

  it("leaves counts that stand under such names", () => {
    const report: JsonValue = { pass: 12, fail: 3, DB_PASS: "plumtree" };
    expect(redactJson(report)).toEqual({ pass: 12, fail: 3, DB_PASS: "[redacted:pass]" });
  });
});

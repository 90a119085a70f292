/**
 * Made-up secrets in the forms that real ones have, from a seed. Test data only: none of them opens
 * anything. They are put together from pieces so that no scanner takes this file for a leak.
 */

export interface PlantedSecret {
  readonly kind: string;
  /** The text as a person would write it; the secret alone if it needs no context. */
  readonly text: string;
  /** The text that must not appear again. */
  readonly secret: string;
}

export interface Dice {
  below(limit: number): number;
}

/** A small generator with a seed (mulberry32). */
export function createDice(seed: number): Dice {
  let state = seed >>> 0;
  return {
    below(limit) {
      state = (state + 0x6d2b79f5) >>> 0;
      let mixed = Math.imul(state ^ (state >>> 15), state | 1);
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
      return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
    },
  };
}

const lower = "abcdefghijklmnopqrstuvwxyz";
const digits = "0123456789";
const hex = "0123456789abcdef";
const letters = lower + lower.toUpperCase();
const alnum = letters + digits;
const capitals = lower.toUpperCase() + digits;

function pick(dice: Dice, alphabet: string, length: number): string {
  let text = "";
  while (text.length < length) text += alphabet.charAt(dice.below(alphabet.length));
  return text;
}

type Maker = (dice: Dice) => { readonly text: string; readonly secret: string };

/** `prefix` and a body of the alphabet. */
const plain =
  (prefix: string, alphabet: string, length: number): Maker =>
  (dice) => {
    const secret = prefix + pick(dice, alphabet, length);
    return { text: secret, secret };
  };

/** A secret that only the words around it betray. */
const within =
  (before: string, alphabet: string, length: number, after = ""): Maker =>
  (dice) => {
    const secret = `${pick(dice, letters, 1)}${pick(dice, alphabet, length - 2)}${pick(dice, digits, 1)}`;
    return { text: before + secret + after, secret };
  };

const joined =
  (...parts: readonly (readonly [prefix: string, alphabet: string, length: number])[]): Maker =>
  (dice) => {
    const secret = parts.map(([prefix, alphabet, length]) => prefix + pick(dice, alphabet, length));
    return { text: secret.join(""), secret: secret.join("") };
  };

const uuid = (dice: Dice): string =>
  [8, 4, 4, 4, 12].map((length) => pick(dice, hex, length)).join("-");

function privateKey(dice: Dice): { text: string; secret: string } {
  const lines = Array.from({ length: 6 }, () => pick(dice, `${alnum}+/`, 64));
  const word = ["", "RSA ", "EC ", "OPENSSH ", "ENCRYPTED "][dice.below(5)] ?? "";
  const body = lines.join(dice.below(2) === 0 ? "\n" : "\\n");
  const edge = "-".repeat(5);
  const text = `${edge}BEGIN ${word}PRIVATE KEY${edge}\n${body}\n${edge}END ${word}PRIVATE KEY${edge}`;
  return { text, secret: lines[2] ?? "" };
}

const makers: readonly (readonly [kind: string, make: Maker])[] = [
  ["openai", plain("sk-", alnum, 48)],
  ["openai project", plain("sk-proj-", `${alnum}_-`, 120)],
  ["anthropic", plain("sk-ant-api03-", `${alnum}_-`, 93)],
  ["openrouter", plain("sk-or-v1-", hex, 64)],
  ["aws key", plain("AKIA", capitals, 16)],
  ["aws session key", plain("ASIA", capitals, 16)],
  ["aws secret", within("aws_secret_access_key = ", `${alnum}/+`, 40)],
  ["github classic", plain("ghp_", alnum, 36)],
  ["github oauth", plain("gho_", alnum, 36)],
  ["github fine-grained", joined(["github_pat_", alnum, 22], ["_", alnum, 59])],
  ["gitlab", plain("glpat-", `${alnum}_`, 20)],
  ["slack bot", joined(["xoxb-", digits, 12], ["-", digits, 12], ["-", alnum, 24])],
  ["slack webhook", within("https://hooks.slack.com/services/T0AAAAAAA/B0BBBBBBB/", alnum, 24)],
  ["stripe", plain("sk_live_", alnum, 24)],
  ["stripe restricted", plain("rk_live_", alnum, 24)],
  ["google", plain("AIza", `${alnum}_-`, 35)],
  ["google oauth", plain("ya29.", `${alnum}_-`, 120)],
  ["azure storage", within("AccountName=a;AccountKey=", `${alnum}+/`, 86, "==")],
  ["azure sas", within("https://x.blob.core.windows.net/c?sv=1&sig=", alnum, 44)],
  ["azure client secret", joined(["", alnum, 3], ["8Q~", alnum, 34])],
  ["jwt", joined(["eyJ", alnum, 33], [".eyJ", alnum, 80], [".", `${alnum}_-`, 43])],
  ["private key", privateKey],
  ["npm", plain("npm_", alnum, 36)],
  ["pypi", plain("pypi-AgEIcHlwaS5vcmc", `${alnum}_-`, 120)],
  ["digitalocean", plain("dop_v1_", hex, 64)],
  ["heroku", (dice) => ((secret) => ({ text: `HEROKU_API_KEY=${secret}`, secret }))(uuid(dice))],
  ["twilio", plain("SK", hex, 32)],
  ["twilio account", plain("AC", hex, 32)],
  ["sendgrid", joined(["SG.", `${alnum}_-`, 22], [".", `${alnum}_-`, 43])],
  ["mailgun", plain("key-", hex, 32)],
  [
    "mailchimp",
    (dice) =>
      ((secret) => ({ text: secret, secret }))(`${pick(dice, hex, 32)}-us${dice.below(20)}`),
  ],
  ["discord", joined(["M", alnum, 23], [".", alnum, 6], [".", `${alnum}_-`, 27])],
  ["telegram", joined(["", digits, 10], [":AA", `${alnum}_-`, 33])],
  ["shopify", plain("shpat_", hex, 32)],
  ["square", plain("sq0atp-", `${alnum}_-`, 22)],
  ["paypal", joined(["access_token$production$", lower, 16], ["$", hex, 32])],
  ["datadog", within("DD_API_KEY=", hex, 32)],
  ["newrelic", plain("NRAK-", capitals, 27)],
  [
    "sentry dsn",
    (dice) =>
      ((secret) => ({ text: `https://${secret}@o1.ingest.sentry.io/2`, secret }))(
        pick(dice, hex, 32),
      ),
  ],
  ["supabase", plain("sbp_", hex, 40)],
  ["vercel", within("VERCEL_TOKEN=", alnum, 24)],
  ["cloudflare", within('CLOUDFLARE_API_TOKEN: "', alnum, 40, '"')],
  ["huggingface", plain("hf_", alnum, 34)],
  ["replicate", plain("r8_", alnum, 37)],
  ["linear", plain("lin_api_", alnum, 40)],
  ["notion", plain("secret_", alnum, 43)],
  ["notion new", plain("ntn_", alnum, 46)],
  ["doppler", plain("dp.pt.", alnum, 43)],
  ["vault", plain("hvs.", `${alnum}_-`, 90)],
  ["databricks", plain("dapi", hex, 32)],
  ["groq", plain("gsk_", alnum, 52)],
  ["figma", plain("figd_", `${alnum}_-`, 40)],
  ["docker", plain("dckr_pat_", `${alnum}_-`, 27)],
  ["tailscale", joined(["tskey-auth-", alnum, 12], ["-", alnum, 32])],
  ["basic-auth url", within("https://deploy:", alnum, 20, "@git.example.com/repo.git")],
  ["postgres url", within("postgres://app:", alnum, 18, "@db.internal:5432/main")],
  ["mongodb url", within("mongodb+srv://app:", alnum, 18, "@cluster.example.net/x")],
  ["bearer header", within("Authorization: Bearer ", alnum, 40)],
  ["basic header", within("Authorization: Basic ", alnum, 32)],
  ["cookie header", within("Cookie: theme=dark; sid=", alnum, 32)],
  ["api key header", within("x-api-key: ", alnum, 32)],
  ["json password", within('{"user":"ann","password":"', `${alnum} !#,(`, 14, '"}')],
  ["escaped json", within('{\\"client_secret\\":\\"', alnum, 24, '\\"}')],
  ["env password", within("export DB_PASSWORD=", `${alnum}(),;`, 16)],
  ["yaml password", within("  password: ", alnum, 14)],
  ["query token", within("GET /v1/items?access_token=", alnum, 28, "&limit=5")],
  ["cli flag", within("tool --api-key ", alnum, 24, " --verbose")],
  ["curl user", within("curl -u admin:", alnum, 18, " https://example.com")],
];

export const plantedKinds: readonly string[] = makers.map(([kind]) => kind);

/** The secret number `index` of a seed; every kind comes in turn. */
export function plantedSecret(dice: Dice, index: number): PlantedSecret {
  const [kind, make] = makers[index % makers.length] ?? ["openai", plain("sk-", alnum, 48)];
  return { kind, ...make(dice) };
}

/**
 * The names of secret values: `password`, `API_KEY`, `x-auth-token`, `clientSecret`. The same rules apply to JSON keys,
 * environment files, headers and source text.
 */

/** A name ends in one of these once its separators are gone; the second word is the kind. */
const endings: readonly (readonly [ending: string, kind: string])[] = [
  ["password", "password"],
  ["passwd", "password"],
  ["passphrase", "password"],
  ["passcode", "password"],
  ["pwd", "password"],
  ["secret", "secret"],
  ["secrets", "secret"],
  ["secretkey", "secret"],
  ["secretaccesskey", "secret"],
  ["token", "token"],
  ["jwt", "token"],
  ["apikey", "api_key"],
  ["appkey", "api_key"],
  ["accesskey", "api_key"],
  ["accountkey", "api_key"],
  ["authkey", "api_key"],
  ["licensekey", "api_key"],
  ["privatekey", "private_key"],
  ["signingkey", "private_key"],
  ["encryptionkey", "private_key"],
  ["masterkey", "private_key"],
  ["credential", "credential"],
  ["credentials", "credential"],
  ["connectionstring", "credential"],
  ["databaseurl", "credential"],
  ["authorization", "authorization"],
  ["cookie", "cookie"],
  ["cookies", "cookie"],
];

/** Names that end like a secret and are none: cursors, counters, vocabulary. */
const harmless =
  /(?:page|next|prev|previous|continuation|sync|cursor|max|min|prompt|completion|input|output|stop|eos|bos|pad|unk|mask|sep|cls|special|first|last|per|syntax|progress|cancellation)token$/;

const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, "");

/** The kind of secret that a name announces. */
export type KindOfKey = (name: string) => string | undefined;

export function createKindOfKey(keyNames: readonly string[] = []): KindOfKey {
  const own = new Set(keyNames.map(plain));
  const known = new Map<string, string | undefined>();
  return (name) => {
    if (known.has(name)) return known.get(name);
    const kind = own.has(plain(name)) ? "secret" : keyKindOf(name);
    if (known.size < 10_000) known.set(name, kind);
    return kind;
  };
}

/** Whole words that end a name: `DB_PASS` and `githubPat`, not `bypass` and not `compat`. */
const lastWords: readonly (readonly [pattern: RegExp, kind: string])[] = [
  [/(?:^|[_.\s-])pass$/i, "pass"],
  [/[a-z0-9]Pass$/, "pass"],
  [/[_.-]pat$/i, "token"],
  [/[a-z0-9]Pat$/, "token"],
];

/** `PWD` in capitals is the shell's folder. */
function keyKindOf(written: string): string | undefined {
  const name = plain(written);
  const word = lastWords.find(([pattern]) => pattern.test(written));
  if (word) return word[1];
  if (harmless.test(name) || /^(?:OLD)?PWD$/.test(written)) return undefined;
  return endings.find(([ending]) => name.endsWith(ending))?.[1];
}

const placeholder =
  /^(?:\[redacted:.*|<[^>]*>|\$\{?[A-Za-z_(].*|\{\{.*|%[A-Za-z_]+%|[*•.x-]{3,}|your[-_ ].*|string|number|boolean|null|none|undefined|true|false|required|optional|process\.env\b.*|os\.environ\b.*|env\..*|import\.meta\b.*|[\^~]?v?\d+\.\d+\.\d+[\w.-]*|same-origin|use-credentials)$/i;

/** Whether a value is a secret if its name is written as data: JSON, an environment file. */
export const isSecretValue = (value: string): boolean =>
  value.length >= 3 && !placeholder.test(value) && !/^[A-Za-z_$.]+\([^)]*\)$/.test(value);

/** The same if the name may be a variable or a type's field: the value must also not look like a word. */
export const isSecretLiteral = (value: string): boolean =>
  isSecretValue(value) &&
  value.length >= 6 &&
  !/[\s(){}]/.test(value) &&
  /[A-Za-z]/.test(value) &&
  /[0-9!@#%^~]/.test(value) &&
  !/^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+$/.test(value);

/**
 * The same at the start of a line, as in configuration files: a password may be a word there. Names of fields and labels
 * are not secrets.
 */
export const isSecretWord = (value: string): boolean =>
  isSecretValue(value) &&
  value.length >= 6 &&
  !/[(){}]/.test(value) &&
  !/passw|passphrase|secret|hash/i.test(value) &&
  !/^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+,?$/.test(value);

/** Whether a name with its value is all that a line has before the value: `  password: `. */
export const beginsLine = (before: string): boolean =>
  /(?:^|[\n\r])[ \t]{0,40}(?:-[ \t])?[\w.-]{1,64}[ \t]{0,4}[:=][ \t]{0,4}$/.test(before);

/** Names in capitals are settings: whatever they are set to is data. */
export const isSettingName = (name: string): boolean => /^[A-Z][A-Z0-9_]*$/.test(name);

export interface KeyBefore {
  readonly name: string;
  readonly isQuoted: boolean;
}

/** The name that a text ends with when a value comes next: `"password": `, `token=`, `api_key => `. */
export function keyBefore(text: string): KeyBefore | undefined {
  let end = skipBack(text, text.length, " \t\\", 8);
  const operator = skipBack(text, end, ":=>", 3);
  if (operator === end || (text.charAt(end - 1) === ">" && end - operator < 2)) return undefined;
  end = skipBack(text, operator, " \t", 4);
  const nameEnd = skipBack(text, end, "\"'`\\]", 6);
  let start = nameEnd;
  while (start > 0 && nameEnd - start < 64 && /[\w.-]/.test(text.charAt(start - 1))) start -= 1;
  if (start === nameEnd) return undefined;
  return { name: text.slice(start, nameEnd), isQuoted: nameEnd < end };
}

function skipBack(text: string, from: number, characters: string, atMost: number): number {
  let index = from;
  while (index > 0 && from - index < atMost && characters.includes(text.charAt(index - 1)))
    index -= 1;
  return index;
}

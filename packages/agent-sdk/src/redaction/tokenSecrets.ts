/**
 * The secrets in one unbroken run of characters, judged by its own form and by the text before it. Pure; the text before
 * is only evidence and never part of the result.
 */
import { secretFormats } from "./formats.js";
import {
  beginsLine,
  isSecretLiteral,
  isSecretValue,
  isSecretWord,
  isSettingName,
  type KindOfKey,
  keyBefore,
} from "./keyNames.js";

export interface Range {
  readonly start: number;
  readonly end: number;
  readonly kind: string;
}

const shortestFormat = 16;

/** Ranges within `token`, in order, none over another. */
export function secretsIn(token: string, before: string, kindOfKey: KindOfKey): readonly Range[] {
  const found = [...namedValues(token, before, kindOfKey), ...announced(token, before)];
  if (token.length >= shortestFormat || token.includes("://"))
    found.push(...formatted(token, before));
  return apart(found);
}

function formatted(token: string, before: string): readonly Range[] {
  const ranges: Range[] = [];
  const text = before + token;
  for (const { kind, pattern } of secretFormats) {
    pattern.lastIndex = before.length;
    for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
      const end = match.index + match[0].length - before.length;
      ranges.push({ start: match.index + (match[1]?.length ?? 0) - before.length, end, kind });
    }
  }
  return ranges;
}

/** `token=…`, `--password=…`, `API_KEY: …`: the name is in the run or right before it. */
function namedValues(token: string, before: string, kindOfKey: KindOfKey): readonly Range[] {
  const ranges: Range[] = [];
  const consider = (name: string, start: number): void => {
    const kind = kindOfKey(name);
    if (kind === undefined) return;
    const ampersand = isSettingName(name) ? -1 : token.indexOf("&", start);
    const end = ampersand === -1 ? token.length : ampersand;
    const value = token.slice(start, end);
    const isWord = kind === "password" && beginsLine(before + token.slice(0, start));
    const isSecret = isSettingName(name)
      ? isSecretValue(value)
      : isSecretLiteral(value) || (isWord && isSecretWord(value));
    if (isSecret) ranges.push({ start, end, kind });
  };
  const key = /[:=>]\s{0,4}$/.test(before) ? keyBefore(before) : undefined;
  if (key !== undefined && !/^[:=>]/.test(token)) consider(key.name, 0);
  const flag = /(?:^|\s)--?([\w-]{2,40})\s{1,2}$/.exec(before)?.[1];
  if (flag !== undefined) consider(flag, 0);
  const tag = element.exec(before)?.[1];
  const tagKind = tag === undefined ? undefined : kindOfKey(tag);
  if (tagKind !== undefined && isSecretValue(token)) {
    ranges.push({ start: 0, end: token.length, kind: tagKind });
  }
  for (const match of token.matchAll(/(?<![\w.-])([\w.-]{2,64})(?:=|:(?!\/\/))(?![:=])/g)) {
    consider(match[1] ?? "", match.index + match[0].length);
  }
  return ranges;
}

/** `machine example.com login me password …`, on one line or on several. */
const netrc = /(?:^|\s)(?:machine|login)\s[\s\S]{1,90}\spassword\s{1,4}$/;
/** `<password>…`, with attributes or without. */
const element = /<([\w.:-]{2,64})(?:\s[^<>]{0,64})?>$/;

const carriers = /(?:^|[^A-Za-z])(?:bearer|basic)\s{1,2}$/i;
const authorization =
  /authorization["'\\]{0,3}\s{0,3}[:=]\s{0,3}["'\\]{0,3}(?:[A-Za-z][\w-]{1,15}\s{1,2})?$/i;
const accessKeyBefore = /(?:AKIA|ASIA)[A-Z0-9]{16}[\s,:;|"'\\]{1,8}$/;
const uuid = /^[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12}$/i;

/** Runs without a look of their own, known by the word before them. */
function announced(token: string, before: string): readonly Range[] {
  const whole = (kind: string): readonly Range[] => [{ start: 0, end: token.length, kind }];
  const tail = before.slice(-64);
  if (netrc.test(before) && isSecretValue(token)) return whole("password");
  if (token.length >= 16 && /[0-9=]/.test(token) && carriers.test(tail)) return whole("bearer");
  if (
    token.length >= 6 &&
    !/^(?:bearer|basic|digest|token)$/i.test(token) &&
    authorization.test(tail)
  ) {
    return whole("authorization");
  }
  if (token.length === 40 && accessKeyBefore.test(tail)) return whole("aws_secret_key");
  if (uuid.test(token) && /heroku[\w\s:='"-]{0,40}$/i.test(tail)) return whole("heroku");
  if (
    /^(?:[a-f0-9]{32}|[a-f0-9]{40})$/.test(token) &&
    /(?:datadog|\bdd)[\w\s:='"-]{0,30}$/i.test(tail)
  ) {
    return whole("datadog");
  }
  const colon = token.indexOf(":");
  if (colon > 0 && colon < token.length - 1 && /(?:^|\s)(?:-u|--user)\s{1,2}$/.test(tail)) {
    return [{ start: colon + 1, end: token.length, kind: "url_password" }];
  }
  return [];
}

/** In a cookie header whatever is set is a secret. */
export function cookiesIn(token: string): readonly Range[] {
  const start = token.indexOf("=") + 1;
  return start === 0 || start === token.length
    ? []
    : [{ start, end: token.length, kind: "cookie" }];
}

/** Ranges that touch the same characters become one, under the name of the first. */
function apart(ranges: readonly Range[]): readonly Range[] {
  const merged: Range[] = [];
  for (const range of ranges.toSorted((one, other) => one.start - other.start)) {
    const last = merged.at(-1);
    if (last === undefined || last.end <= range.start) merged.push(range);
    else if (range.end > last.end) merged[merged.length - 1] = { ...last, end: range.end };
  }
  return merged.filter(({ start, end }) => end > start);
}

export function withRangesRedacted(text: string, ranges: readonly Range[]): string {
  if (ranges.length === 0) return text;
  let redacted = "";
  let from = 0;
  for (const { start, end, kind } of ranges) {
    redacted += `${text.slice(from, start)}[redacted:${kind}]`;
    from = end;
  }
  return redacted + text.slice(from);
}

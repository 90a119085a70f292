/**
 * The beats of a text as one line: for each delta its position, its time and its length, as differences
 * and in digits of five bits. A typical delta takes four characters.
 */

/** The position, the time and the length of a delta. */
export interface Beat {
  readonly seq: number;
  readonly at: number;
  readonly length: number;
}

interface Place {
  readonly seq: number;
  readonly at: number;
}

const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const digitValues = new Map([...digits].map((digit, value) => [digit, value]));
const most = 2 ** 40;

export interface BeatWriter {
  /** False if the beat cannot be expressed; then nothing is added. */
  push(beat: Beat): boolean;
  /** The first beat is given by its distance from the closing. Absent if that is not possible. */
  text(closing: Place): string | undefined;
}

export function createBeatWriter(): BeatWriter {
  let first: Beat | undefined;
  let before: Place | undefined;
  let rest = "";

  function beatText({ length }: Beat, gap: number, time: number): string | undefined {
    if (!isTold(gap) || !isTold(Math.abs(time)) || !isTold(length) || length === 0)
      return undefined;
    const zigzag = time < 0 ? -2 * time - 1 : 2 * time;
    return numberText(gap) + numberText(zigzag) + numberText(length);
  }

  return {
    push(beat) {
      if (before !== undefined) {
        const text = beatText(beat, beat.seq - before.seq - 1, beat.at - before.at);
        if (text === undefined) return false;
        rest += text;
      } else if (!Number.isInteger(beat.at) || beatText(beat, beat.seq, 0) === undefined) {
        return false;
      }
      first ??= beat;
      before = beat;
      return true;
    },
    text(closing) {
      if (first === undefined || before === undefined || before.seq >= closing.seq)
        return undefined;
      const text = beatText(first, closing.seq - first.seq - 1, closing.at - first.at);
      return text === undefined ? undefined : text + rest;
    },
  };
}

export function beatsIn(text: string, closing: Place): readonly Beat[] | undefined {
  const numbers = numbersIn(text);
  if (numbers === undefined || numbers.length % 3 !== 0) return undefined;
  const beats: Beat[] = [];
  let before: Place | undefined;
  for (let index = 0; index < numbers.length; index += 3) {
    const gap = numbers[index] ?? 0;
    const zigzag = numbers[index + 1] ?? 0;
    const length = numbers[index + 2] ?? 0;
    const time = zigzag % 2 === 0 ? zigzag / 2 : -(zigzag + 1) / 2;
    const beat: Beat =
      before === undefined
        ? { seq: closing.seq - gap - 1, at: closing.at - time, length }
        : { seq: before.seq + gap + 1, at: before.at + time, length };
    if (beat.seq < 1 || beat.seq >= closing.seq || beat.at < 0 || length === 0) return undefined;
    beats.push(beat);
    before = beat;
  }
  return beats;
}

function isTold(value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value < most;
}

function numberText(value: number): string {
  let rest = value;
  let text = "";
  while (rest >= 32) {
    text += digits[32 + (rest % 32)];
    rest = Math.floor(rest / 32);
  }
  return text + digits[rest];
}

function numbersIn(text: string): readonly number[] | undefined {
  const numbers: number[] = [];
  let value = 0;
  let scale = 1;
  for (const digit of text) {
    const part = digitValues.get(digit);
    if (part === undefined || scale > most) return undefined;
    value += (part % 32) * scale;
    if (part >= 32) {
      scale *= 32;
    } else {
      numbers.push(value);
      value = 0;
      scale = 1;
    }
  }
  return scale === 1 ? numbers : undefined;
}

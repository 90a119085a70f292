/**
 * One JSON number, possibly cut between chunks, read by a machine of one character at a time:
 *
 *   START ─ '-' → MINUS ─ digit → ZERO | INTEGER ─ '.' → POINT ─ digit → FRACTION
 *   ZERO, INTEGER, FRACTION ─ 'e' → EXPONENT ─ sign → SIGN ─ digit → POWER
 *
 * It never guesses: there is no value until the caller knows that the number is over.
 */
const NONE = 0;
const START = 1;
const MINUS = 2;
const ZERO = 3;
const INTEGER = 4;
const POINT = 5;
const FRACTION = 6;
const EXPONENT = 7;
const SIGN = 8;
const POWER = 9;

export class NumberText {
  private text = "";
  private state = START;

  begin(): void {
    this.text = "";
    this.state = START;
  }

  /** How many characters were read. */
  get length(): number {
    return this.text.length;
  }

  /** Whether the number may end here. */
  get isWhole(): boolean {
    const state = this.state;
    return state === ZERO || state === INTEGER || state === FRACTION || state === POWER;
  }

  get value(): number {
    return Number(this.text);
  }

  /** Reads on and returns the first index that does not belong to the number. */
  read(chunk: string, from: number): number {
    let at = from;
    let state = this.state;
    while (at < chunk.length) {
      const next = numberStep(state, chunk.charCodeAt(at));
      if (next === NONE) break;
      state = next;
      at++;
    }
    this.state = state;
    this.text += chunk.slice(from, at);
    return at;
  }
}

/** Whether a number can start with this character. */
export function isNumberStart(code: number): boolean {
  return numberStep(START, code) !== NONE;
}

/** The state after one more character; `NONE` when the character does not belong. */
function numberStep(state: number, code: number): number {
  if (code >= 0x30 && code <= 0x39) return afterDigit(state, code);
  if (code === 0x2e) return state === ZERO || state === INTEGER ? POINT : NONE;
  if (code === 0x65 || code === 0x45) {
    return state === ZERO || state === INTEGER || state === FRACTION ? EXPONENT : NONE;
  }
  if (code === 0x2d && state === START) return MINUS;
  if (code === 0x2d || code === 0x2b) return state === EXPONENT ? SIGN : NONE;
  return NONE;
}

function afterDigit(state: number, code: number): number {
  switch (state) {
    case START:
    case MINUS:
      return code === 0x30 ? ZERO : INTEGER;
    case INTEGER:
      return INTEGER;
    case POINT:
    case FRACTION:
      return FRACTION;
    case EXPONENT:
    case SIGN:
    case POWER:
      return POWER;
    default:
      return NONE;
  }
}

/**
 * The JSON grammar as a machine that can stop after any character and continue with the next chunk (`states.ts` draws
 * its states). It accepts exactly what `JSON.parse` accepts, bounded in depth; the first character that cannot belong
 * ends it in FAILED. It never reads earlier text again.
 */
import type { JsonProblem } from "./jsonProblem.js";
import { KeyText } from "./keyText.js";
import { KeywordText, keywordFrom } from "./keywordText.js";
import type { LiveTree } from "./liveTree.js";
import { isNumberStart, NumberText } from "./numberText.js";
import {
  AFTER,
  COLON,
  DONE,
  type Ending,
  endingOf,
  FAILED,
  FIRST_ITEM,
  FIRST_KEY,
  KEY,
  KEY_STRING,
  KEYWORD,
  NUMBER,
  positionWords,
  STRING,
  VALUE,
} from "./states.js";
import { BROKEN, CLOSED, StringText } from "./stringText.js";

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON_SIGN = 0x3a;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

export class Scanner {
  problem: JsonProblem | undefined = undefined;
  /** How many characters came before the chunk being read. */
  position = 0;
  private state = VALUE;
  private readonly string = new StringText();
  private readonly number = new NumberText();
  private readonly keyword = new KeywordText();
  private readonly key = new KeyText(this.string);
  private keyStart = 0;
  /** Whether the string being read is not in the tree yet; never so between two chunks. */
  private isNewString: boolean = false;
  private readonly tree: LiveTree;
  private readonly maxDepth: number;

  constructor(tree: LiveTree, maxDepth: number) {
    this.tree = tree;
    this.maxDepth = maxDepth;
  }

  get status(): "empty" | "open" | "complete" | "failed" {
    if (this.state === FAILED) return "failed";
    if (this.state === DONE) return "complete";
    return this.state === VALUE && this.tree.depth === 0 ? "empty" : "open";
  }

  push(chunk: string): void {
    let at = 0;
    if (this.state === STRING) {
      at = this.string.contentEnd(chunk);
      if (at === chunk.length) {
        if (at > 0) this.tree.appendText(chunk);
        this.position += at;
        return;
      }
      at = this.readContent(chunk, at);
    }
    this.read(chunk, at);
  }

  /** Nothing follows: a number at the top, which only the end can finish, is placed. */
  end(): void {
    if (this.state === NUMBER && this.tree.depth === 0 && this.number.isWhole) this.finishNumber();
  }

  fail(message: string, position: number): void {
    if (this.state === FAILED) return;
    this.state = FAILED;
    this.problem = { message, position };
  }

  /** Why the text so far is not complete; only called while it is not. */
  get shortage(): JsonProblem {
    return { message: `Text ended ${positionWords(this.state)}`, position: this.position };
  }

  /** How to make the text so far valid; undefined when nothing of it is certain. */
  ending(): Ending | undefined {
    return endingOf({
      state: this.state,
      length: this.position,
      closers: this.tree.closers(),
      isInObject: this.tree.isInObject,
      keyStart: this.keyStart,
      undecided: this.string.undecided,
      numberLength: this.number.length,
      keywordRest: this.keyword.rest,
    });
  }

  /**
   * The machine. It is one method on purpose: an engine builds parts of it into `push` otherwise, and
   * then does not build `push`, which is short for the usual chunk, into its caller.
   */
  private read(chunk: string, from: number): void {
    const end = chunk.length;
    let at = from;
    while (at < end) {
      switch (this.state) {
        case STRING:
          at = this.readString(chunk, at);
          continue;
        case KEY_STRING:
          at = this.readKey(chunk, at);
          continue;
        case NUMBER:
          at = this.readNumber(chunk, at);
          continue;
        case KEYWORD:
          at = this.readKeyword(chunk, at);
          continue;
        case FAILED:
          return;
        default:
          break;
      }
      const code = chunk.charCodeAt(at);
      if (code <= 0x20 && isWhiteSpace(code)) {
        at++;
        continue;
      }
      switch (this.state) {
        case AFTER:
          at = this.readAfter(chunk, at, code);
          break;
        case COLON:
          if (code === COLON_SIGN) {
            this.state = VALUE;
            at++;
          } else {
            at = this.failAt(chunk, at, "a colon");
          }
          break;
        case FIRST_KEY:
        case KEY:
          if (code === QUOTE) at = this.beginKey(at);
          else if (code === CLOSE_BRACE && this.state === FIRST_KEY) at = this.close(at);
          else at = this.failAt(chunk, at, "a key");
          break;
        case DONE:
          at = this.failAt(chunk, at, "nothing after the value");
          break;
        default:
          if (code === CLOSE_BRACKET && this.state === FIRST_ITEM) at = this.close(at);
          else at = this.beginValue(chunk, at, code);
      }
    }
    if (this.isNewString) this.readString(chunk, end);
    this.position += end;
  }

  private failAt(chunk: string, at: number, expected: string): number {
    const found = JSON.stringify(chunk.charAt(at));
    this.fail(`Expected ${expected}, found ${found}`, this.position + at);
    return chunk.length;
  }

  private readAfter(chunk: string, at: number, code: number): number {
    const isInObject = this.tree.isInObject;
    if (code === COMMA) {
      this.state = isInObject ? KEY : VALUE;
      return at + 1;
    }
    if (code === (isInObject ? CLOSE_BRACE : CLOSE_BRACKET)) return this.close(at);
    return this.failAt(chunk, at, isInObject ? "a comma or a brace" : "a comma or a bracket");
  }

  private beginKey(at: number): number {
    this.keyStart = this.position + at;
    this.key.begin();
    this.state = KEY_STRING;
    return at + 1;
  }

  private beginValue(chunk: string, at: number, code: number): number {
    switch (code) {
      case QUOTE:
        this.state = STRING;
        this.isNewString = true;
        return at + 1;
      case OPEN_BRACE:
      case OPEN_BRACKET:
        if (this.tree.depth >= this.maxDepth) {
          this.fail(`Nested deeper than ${this.maxDepth} levels`, this.position + at);
          return chunk.length;
        }
        if (code === OPEN_BRACE) this.tree.openObject();
        else this.tree.openArray();
        this.state = code === OPEN_BRACE ? FIRST_KEY : FIRST_ITEM;
        return at + 1;
      default:
        return this.beginWord(chunk, at, code);
    }
  }

  private beginWord(chunk: string, at: number, code: number): number {
    if (isNumberStart(code)) {
      this.state = NUMBER;
      this.number.begin();
      return at;
    }
    const word = keywordFrom(code);
    if (word === "") return this.failAt(chunk, at, "a value");
    this.state = KEYWORD;
    this.keyword.begin(word);
    return at + 1;
  }

  private close(at: number): number {
    this.tree.close();
    this.finishValue();
    return at + 1;
  }

  private finishValue(): void {
    this.state = this.tree.depth === 0 ? DONE : AFTER;
  }

  /** The rest of a chunk that is content up to `run`, as far as it is that or plain escapes. */
  private readContent(chunk: string, run: number): number {
    const at = this.string.readContent(chunk, run);
    if (at === chunk.length) {
      const piece = this.string.take();
      if (piece !== "") this.tree.appendText(piece);
    }
    return at;
  }

  private readString(chunk: string, from: number): number {
    const string = this.string;
    const outcome = string.read(chunk, from);
    const piece = string.take();
    if (this.isNewString) {
      this.isNewString = false;
      if (outcome === CLOSED) this.tree.set(piece);
      else this.tree.openString(piece);
    } else {
      if (piece !== "") this.tree.appendText(piece);
      if (outcome === CLOSED) this.tree.closeString();
    }
    if (outcome === CLOSED) this.finishValue();
    return outcome === BROKEN ? this.failInString(chunk) : string.stop;
  }

  private readKey(chunk: string, from: number): number {
    const key = this.key;
    const outcome = key.read(chunk, from);
    if (outcome === BROKEN) return this.failInString(chunk);
    if (outcome === CLOSED) {
      this.tree.key = key.known;
      this.state = COLON;
    }
    return key.stop;
  }

  private failInString(chunk: string): number {
    const expected = this.string.isInEscape ? "an escape" : "no control character in a string";
    return this.failAt(chunk, this.string.stop, expected);
  }

  private readNumber(chunk: string, from: number): number {
    const at = this.number.read(chunk, from);
    if (at === chunk.length) return at;
    if (!this.number.isWhole) return this.failAt(chunk, at, "a digit");
    this.finishNumber();
    return at;
  }

  private finishNumber(): void {
    this.tree.set(this.number.value);
    this.finishValue();
  }

  private readKeyword(chunk: string, from: number): number {
    const at = this.keyword.read(chunk, from);
    if (this.keyword.isWhole) {
      this.tree.set(this.keyword.value);
      this.finishValue();
      return at;
    }
    return at === chunk.length ? at : this.failAt(chunk, at, this.keyword.word);
  }
}

function isWhiteSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

/** Which question the number keys answer. */
import { expect, it, onTestFinished, vi } from "vitest";
import { createQuestions, type Question, type Questions } from "./questions.js";

interface Asked {
  readonly question: Question;
  readonly chosen: number[];
  /** Where its button is; out of sight if it is omitted. */
  place(top?: number): void;
}

const outOfSight = -1_000;

function ask(top = outOfSight): Asked {
  const element = document.createElement("fieldset");
  const button = document.createElement("button");
  element.append(button);
  document.body.append(element);
  const chosen: number[] = [];
  let at = top;
  button.getBoundingClientRect = () => new DOMRect(0, at, 100, 20);
  element.scrollIntoView = () => {
    at = 100;
  };
  return {
    question: { element, choose: (index) => chosen.push(index) },
    chosen,
    place: (next = outOfSight) => {
      at = next;
    },
  };
}

function press(key: string, more: KeyboardEventInit = {}): void {
  window.dispatchEvent(new KeyboardEvent("keydown", { key, cancelable: true, ...more }));
}

function setUp(): { readonly questions: Questions; readonly pass: (ms: number) => void } {
  document.body.replaceChildren();
  let now = 10_000;
  vi.spyOn(window.performance, "now").mockImplementation(() => now);
  const questions = createQuestions(window);
  return {
    questions: {
      ...questions,
      add(question) {
        const remove = questions.add(question);
        onTestFinished(remove);
        return remove;
      },
    },
    pass: (ms) => {
      now += ms;
    },
  };
}

it("answers the first question in sight, not one above it that is out of sight", () => {
  const { questions } = setUp();
  const above = ask(100);
  const below = ask(300);
  questions.add(above.question);
  questions.add(below.question);
  expect(questions.isCurrent(above.question.element)).toBe(true);
  above.place();
  window.dispatchEvent(new Event("scroll"));
  expect(questions.isCurrent(below.question.element)).toBe(true);
});

it("answers the question that has the focus before any other", () => {
  const { questions, pass } = setUp();
  const first = ask(100);
  const second = ask(200);
  questions.add(first.question);
  questions.add(second.question);
  second.question.element.querySelector("button")?.focus();
  window.dispatchEvent(new Event("focusin"));
  pass(1_000);
  press("2");
  expect([first.chosen, second.chosen]).toEqual([[], [1]]);
});

it("brings a question out of sight into sight and answers nothing", () => {
  const { questions, pass } = setUp();
  const only = ask(100);
  questions.add(only.question);
  only.place();
  press("1");
  expect(only.chosen).toEqual([]);
  expect(questions.isCurrent(only.question.element)).toBe(true);
  pass(1_000);
  press("1");
  expect(only.chosen).toEqual([0]);
});

it("scrolls to a question that comes while none is in sight, and not while one is", () => {
  const { questions } = setUp();
  const first = ask();
  questions.add(first.question);
  expect(questions.isCurrent(first.question.element)).toBe(true);
  const second = ask();
  questions.add(second.question);
  expect(questions.isCurrent(second.question.element)).toBe(false);
});

it("does not answer the next question with a key that was pressed twice", () => {
  const { questions, pass } = setUp();
  const first = ask(100);
  const second = ask(200);
  const removeFirst = questions.add(first.question);
  questions.add(second.question);
  press("1");
  removeFirst();
  pass(200);
  press("1");
  expect([first.chosen, second.chosen]).toEqual([[0], []]);
  pass(300);
  press("1");
  expect(second.chosen).toEqual([0]);
});

it("ignores keys held down, keys with modifiers, and keys typed into a field", () => {
  const { questions } = setUp();
  const only = ask(100);
  questions.add(only.question);
  press("1", { repeat: true });
  press("1", { ctrlKey: true });
  press("0");
  press("x");
  const field = document.createElement("input");
  document.body.append(field);
  field.focus();
  press("1");
  expect(only.chosen).toEqual([]);
  field.blur();
  press("1");
  expect(only.chosen).toEqual([0]);
});

it("tells of each change of the current question, and stops listening with the last one", () => {
  const { questions } = setUp();
  const heard = vi.fn();
  const stop = questions.subscribe(heard);
  const only = ask(100);
  const remove = questions.add(only.question);
  remove();
  expect(heard).toHaveBeenCalledTimes(2);
  press("1");
  expect(only.chosen).toEqual([]);
  stop();
});

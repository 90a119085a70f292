/** Which answers fit a question: nothing that was not asked for is taken. */
import { expect, it } from "vitest";
import { answerProblem, type UserQuestion, userQuestionIn } from "./userQuestion.js";

const question = "Which?";
const choices = ["red", "green"];
const form: UserQuestion["form"] = {
  type: "object",
  properties: {
    name: { type: "string", minLength: 2 },
    size: { type: "string", enum: ["s", "m"] },
    count: { type: "integer", minimum: 1, maximum: 9 },
    price: { type: "number" },
    gift: { type: "boolean" },
    days: { type: "array", items: { enum: ["mon", "tue"] }, minItems: 1 },
  },
  required: ["name"],
};

it.each([
  [{ question }, "anything", undefined],
  [{ question }, " ", "answer: the text is empty."],
  [{ question }, 7, "answer: give a text."],
  [{ question, choices }, "red", undefined],
  [{ question, choices }, "blue", "answer: give one of red, green."],
  [{ question, choices, allow_text: true }, "blue", undefined],
  [{ question, choices, multiple: true }, ["red", "green"], undefined],
  [{ question, choices, multiple: true }, "red", "answer: give a list of the choices."],
  [{ question, choices, multiple: true }, ["blue"], "answer: give one of red, green."],
  [{ question, form }, { name: "Ada", size: "s", count: 2, price: 0.5, gift: true }, undefined],
  [{ question, form }, "Ada", "answer: give an object with the fields of the form."],
  [{ question, form }, {}, "name: this field is required."],
  [{ question, form }, { name: "A" }, "name: the text is too short or too long."],
  [{ question, form }, { name: "Ada", size: "l" }, "size: give one of s, m."],
  [{ question, form }, { name: "Ada", count: 1.5 }, "count: give a whole number."],
  [{ question, form }, { name: "Ada", count: 10 }, "count: the number is out of range."],
  [{ question, form }, { name: "Ada", price: "1" }, "price: give a number."],
  [{ question, form }, { name: "Ada", gift: "yes" }, "gift: give true or false."],
  [{ question, form }, { name: "Ada", days: ["mon", "tue"] }, undefined],
  [{ question, form }, { name: "Ada", days: "mon" }, "days: give a list."],
  [{ question, form }, { name: "Ada", days: ["sun"] }, "days: give a list of mon, tue."],
  [{ question, form }, { name: "Ada", days: [] }, "days: the list is too short or too long."],
  [{ question, form }, { name: "Ada", toString: 1 }, "toString: the form has no such field."],
] as const)("%j answered with %j: %s", (asked, answer, problem) => {
  const read = userQuestionIn(JSON.parse(JSON.stringify(asked)));
  if (!read) throw new Error("no question");
  expect(answerProblem(read, JSON.parse(JSON.stringify(answer)))).toBe(problem);
});

it.each([
  [{}],
  [{ question: "" }],
  [{ question, choices: [] }],
  [{ question, form: { type: "x" } }],
  [{ question, form: { type: "object", properties: { days: { type: "array" } } } }],
  [{ question, url: "javascript:alert(1)" }],
])("%j is no question", (input) => {
  expect(userQuestionIn(JSON.parse(JSON.stringify(input)))).toBeUndefined();
});

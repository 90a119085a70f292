import type { UserQuestion } from "@callboard/run-log/asking";
import { describe, expect, it } from "vitest";
import { answerFields, answerIn } from "./answerFields.js";

const plain = (text: string): string => text;
const fieldsOf = (question: UserQuestion): string => answerFields(question, plain).join("");
const answer = (question: UserQuestion, sent: string): unknown =>
  answerIn(question, new URLSearchParams(sent));

const form: UserQuestion = {
  question: "Which?",
  form: {
    type: "object",
    properties: {
      name: { type: "string", title: "Your name", minLength: 2, maxLength: 9 },
      size: { type: "string", enum: ["small", "large"], description: "Of the boat" },
      crew: { type: "integer", minimum: 1, maximum: 8 },
      draught: { type: "number" },
      isMoored: { type: "boolean" },
      sails: {
        type: "array",
        items: { enum: ["main", "jib"], enumNames: ["Mainsail", "Jib"] },
      },
    },
    required: ["name", "isMoored"],
  },
};

describe("the fields of a question", () => {
  it("are a text where nothing is offered", () => {
    expect(fieldsOf({ question: "Who?" })).toBe(
      '<label>Answer<textarea name="text" rows="4" required></textarea></label>',
    );
  });

  it("are one choice, several, or other words", () => {
    const choices = ["north", "<south>"];
    expect(fieldsOf({ question: "Where?", choices })).toBe(
      '<label class="choice"><input type="radio" name="choice" value="0" required> north</label>' +
        '<label class="choice"><input type="radio" name="choice" value="1" required> &lt;south&gt;</label>',
    );
    expect(fieldsOf({ question: "?", choices: ["a"], multiple: true, allow_text: true })).toBe(
      '<label class="choice"><input type="checkbox" name="choice" value="0"> a</label>' +
        '<label>Other<input type="text" name="text"></label>',
    );
  });

  it("are the fields of a form, with their limits", () => {
    expect(fieldsOf(form)).toBe(
      [
        '<label>Your name<input type="text" name="field0" minlength="2" maxlength="9" required></label>',
        '<label>size<small>Of the boat</small><select name="field1"><option value=""></option>',
        '<option value="0">small</option><option value="1">large</option></select></label>',
        '<label>crew<input type="number" step="1" name="field2" min="1" max="8"></label>',
        '<label>draught<input type="number" step="any" name="field3"></label>',
        '<label>isMoored<select name="field4" required><option value=""></option>',
        '<option value="true">Yes</option><option value="false">No</option></select></label>',
        "<fieldset><legend>sails</legend>",
        '<label class="choice"><input type="checkbox" name="field5" value="0"> Mainsail</label>',
        '<label class="choice"><input type="checkbox" name="field5" value="1"> Jib</label></fieldset>',
      ].join(""),
    );
  });

  it("show no secret, and no more words than a phone holds", () => {
    const choices = ["secret", "x".repeat(1_000)];
    const shown = answerFields({ question: "?", choices }, (text) => text.replace("secret", "***"));
    expect(shown[0]).toContain("> ***</label>");
    expect(shown[1]).toContain(`> ${"x".repeat(500)}</label>`);
  });
});

describe("the answer of a sent form", () => {
  it("is the text, the choice, or the choices that were meant", () => {
    const choices = ["north", "south"];
    expect(answer({ question: "?" }, "text=hello+there")).toBe("hello there");
    expect(answer({ question: "?", choices }, "choice=1&text=ignored")).toBe("south");
    expect(answer({ question: "?", choices, allow_text: true }, "choice=1&text=east")).toBe("east");
    expect(answer({ question: "?", choices, multiple: true }, "choice=0&choice=1")).toEqual(
      choices,
    );
    const several = { question: "?", choices, multiple: true, allow_text: true };
    expect(answer(several, "choice=0&text=east")).toEqual(["north", "east"]);
  });

  it("is nothing that was not offered", () => {
    const choices = ["north"];
    for (const sent of ["choice=7", "choice=-1", "choice=length", ""]) {
      expect(answer({ question: "?", choices }, sent)).toBe("");
      expect(answer({ question: "?", choices, multiple: true }, sent)).toEqual([]);
    }
  });

  it("has the types of the form, without what was left empty", () => {
    expect(
      answer(form, "field0=Ada&field1=1&field2=3&field3=&field4=false&field5=0&field5=1&field9=x"),
    ).toEqual({ name: "Ada", size: "large", crew: 3, isMoored: false, sails: ["main", "jib"] });
    // What does not fit stays as it was said: the question refuses it with a reason.
    expect(answer(form, "field1=5&field2=many")).toEqual({ size: "5", crew: "many" });
  });
});

/** Every statement that the simulated database knows, found by the start of its text. */
import { conversationStatements } from "./conversationStatements.js";
import { eventStatements } from "./eventStatements.js";
import { runStatements } from "./runStatements.js";
import type { Execute } from "./statement.js";

const statements = [...runStatements, ...eventStatements, ...conversationStatements];
const prepared = new Map<string, Execute>();

/** Throws if a statement is new: the simulation must learn it before it can say anything about it. */
export function executeOf(text: string): Execute {
  const known = prepared.get(text);
  if (known) return known;
  const plain = text.replace(/\s+/g, " ").replaceAll("( ", "(").replaceAll(" )", ")").trim();
  const statement = statements.find(
    ({ begins, contains = "" }) => plain.startsWith(begins) && plain.includes(contains),
  );
  if (!statement) throw new Error(`The simulated database does not know the statement: ${plain}`);
  const execute = statement.prepared(plain);
  prepared.set(text, execute);
  return execute;
}

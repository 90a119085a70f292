/**
 * The arguments that are streamed. ASCII only; every chunk is a flat string of its own, as text from a
 * socket is, and not a slice that leans on one big string. All contenders get the same array.
 */

const lines = [
  "export function loadSettings(path: string): Settings {",
  "  const text = readFileSync(path, 'utf8');",
  '  if (text === "") return { ...defaults, name: "empty" };',
  "",
  "  // What the file does not say stays as it was.",
  '  const pairs = text.split(/\\r?\\n/).map((line) => line.split("="));',
  "  return Object.fromEntries(pairs.filter((pair) => pair.length === 2));",
  "}",
  "",
];

/**
 * One long string: a write_file call with source code.
 *
 * @param {number} size
 */
export function writeText(size) {
  let content = "";
  for (let turn = 0; content.length < size * 0.9; turn++)
    content += `${lines[turn % lines.length]}\n`;
  return JSON.stringify({ path: "src/settings.ts", content: content.slice(0, size * 0.9) });
}

/** How many entries a list of `todoText` has at most: snapshots copy the lists that are open. */
const FAN_OUT = 32;

/**
 * Nested objects and arrays: a plan of phases, groups and to-dos.
 *
 * @param {number} size
 */
export function todoText(size) {
  const phases = [];
  let written = 0;
  let id = 0;
  while (written < size) {
    const groups = [];
    while (written < size && groups.length < FAN_OUT) {
      const todos = [];
      while (written < size && todos.length < FAN_OUT) {
        id++;
        const todo = todoOf(id);
        todos.push(todo);
        written += JSON.stringify(todo).length + 1;
      }
      groups.push({ name: `Group ${groups.length + 1}`, todos });
    }
    phases.push({ title: `Phase ${phases.length + 1}`, groups });
  }
  return JSON.stringify({ plan: "Release", phases });
}

/**
 * The same to-dos in one list that grows with the text.
 *
 * @param {number} size
 */
export function flatText(size) {
  const todos = [];
  for (let written = 0, id = 1; written < size; id++) {
    const todo = todoOf(id);
    todos.push(todo);
    written += JSON.stringify(todo).length + 1;
  }
  return JSON.stringify({ todos });
}

/** @param {number} id */
function todoOf(id) {
  return {
    id,
    content: `Read module ${id} and write down what it promises to its callers`,
    status: id % 3 === 0 ? "completed" : "in_progress",
    priority: id % 5,
    tags: ["code", "review"],
    done: id % 3 === 0,
    owner: null,
  };
}

/**
 * @param {string} text
 * @param {number} size
 * @returns {string[]}
 */
export function chunksOf(text, size) {
  const chunks = [];
  for (let at = 0; at < text.length; at += size) {
    chunks.push(Buffer.from(text.slice(at, at + size), "latin1").toString("latin1"));
  }
  return chunks;
}

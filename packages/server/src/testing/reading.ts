/** Reading answers in tests: lines of NDJSON and SSE, whole or until something was seen. */

export interface SseEvent {
  readonly id: string | undefined;
  readonly data: string;
}

/** The lines of a response as they come; leaving the loop drops the connection. */
export async function* linesOf(response: Response): AsyncGenerator<string> {
  if (!response.body) return;
  const decoder = new TextDecoder();
  let rest = "";
  for await (const piece of response.body) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield line;
  }
  if (rest !== "") yield rest;
}

/** The values of an NDJSON response without heartbeats, to its end. */
export async function valuesOf(response: Response): Promise<readonly unknown[]> {
  const values: unknown[] = [];
  for await (const line of linesOf(response)) {
    const value: unknown = JSON.parse(line);
    if (fieldOf(value, "event") !== "heartbeat") values.push(value);
  }
  return values;
}

export async function* sseOf(response: Response): AsyncGenerator<SseEvent> {
  let id: string | undefined;
  for await (const line of linesOf(response)) {
    if (line.startsWith("id: ")) id = line.slice(4);
    if (line.startsWith("data: ")) yield { id, data: line.slice(6) };
    if (line === "") id = undefined;
  }
}

/** Reads values until one satisfies; the connection is dropped then. */
export async function readUntil(
  response: Response,
  isWanted: (value: unknown) => boolean,
): Promise<readonly unknown[]> {
  const values: unknown[] = [];
  for await (const line of linesOf(response)) {
    const value: unknown = JSON.parse(line);
    values.push(value);
    if (isWanted(value)) return values;
  }
  return values;
}

/** A field of something unknown, by path. */
export function fieldOf(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((inner, name) => {
    if (typeof inner !== "object" || inner === null) return undefined;
    return Object.entries(inner).find(([key]) => key === String(name))?.[1];
  }, value);
}

export function textAtPath(value: unknown, ...path: readonly (string | number)[]): string {
  const found = fieldOf(value, ...path);
  return typeof found === "string" ? found : "";
}

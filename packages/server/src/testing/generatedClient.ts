/**
 * A client made from an OpenAPI document and nothing else: one function for each operation. It fills paths,
 * sends bodies, and checks every answer and every line of a stream against the document.
 */
import { Ajv2020 } from "ajv/dist/2020.js";
import { linesOf, sseOf } from "./reading.js";

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly definition: Readonly<Record<string, unknown>>;
}

export interface Request {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** The fields of a form, instead of a body. */
  readonly form?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Stops reading a stream after the value that satisfies. */
  readonly until?: (value: unknown) => boolean;
}

export interface Answered {
  readonly status: number;
  /** The JSON of an answer, the values of a stream, or undefined if there is no body. */
  readonly value: unknown;
  readonly type: string;
}

export interface GeneratedClient {
  readonly operations: readonly string[];
  call(operation: string, request?: Request): Promise<Answered>;
}

export function generateClient(
  document: unknown,
  address: string,
  headers: Readonly<Record<string, string>>,
): GeneratedClient {
  const root = recordOf(document);
  const ajv = new Ajv2020({ strict: false, formats: { uuid: true } });
  ajv.addSchema({ ...root, $id: "document" });
  const compiled = new Map<string, ReturnType<typeof ajv.compile>>();
  const operations = new Map(operationsOf(root));

  function check(schema: unknown, value: unknown, what: string): void {
    const text = JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"document#/');
    const isValid = compiled.get(text) ?? ajv.compile(JSON.parse(text));
    compiled.set(text, isValid);
    if (isValid(value)) return;
    throw new Error(`${what} is not as the document says: ${ajv.errorsText(isValid.errors)}`);
  }

  async function* valuesIn(response: Response, isSse: boolean): AsyncGenerator<unknown> {
    if (!isSse) for await (const line of linesOf(response)) yield JSON.parse(line);
    else
      for await (const { data } of sseOf(response)) if (data !== "[DONE]") yield JSON.parse(data);
  }

  return {
    operations: [...operations.keys()],
    async call(name, { params = {}, query = {}, body, form, headers: more = {}, until } = {}) {
      const operation = operations.get(name);
      if (!operation) throw new Error(`the document has no operation ${name}`);
      const { method, path, definition } = operation;
      const taken = recordOf(recordOf(definition.requestBody).content);
      if (body !== undefined) {
        check(recordOf(taken["application/json"]).schema, body, `the body of ${name}`);
      }
      if (form !== undefined) {
        const { schema } = recordOf(taken["application/x-www-form-urlencoded"]);
        check(schema, form, `the form of ${name}`);
      }
      const filled = path.replace(/\{(\w+)\}/g, (_, key) => encodeURIComponent(params[key] ?? ""));
      const search = new URLSearchParams(query);
      const response = await fetch(`${address}${filled}${search.size === 0 ? "" : `?${search}`}`, {
        method,
        redirect: "manual",
        headers: {
          ...headers,
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...more,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        ...(form === undefined ? {} : { body: new URLSearchParams(form) }),
      });
      const { status } = response;
      const answers = recordOf(definition.responses);
      const answer = recordOf(answers[String(status)] ?? answers.default);
      const [type = ""] = (response.headers.get("content-type") ?? "").split(";");
      const content = recordOf(answer.content);
      if (type !== "" && !(type in content)) {
        throw new Error(
          `${name} answered ${status} with ${type}, which the document does not name`,
        );
      }
      const { schema } = recordOf(content[type]);
      if (schema === undefined) return { status, type, value: await responseText(response) };
      if (type.endsWith("json") && !type.endsWith("ndjson")) {
        const value: unknown = await response.json();
        check(schema, value, `the answer ${status} of ${name}`);
        return { status, type, value };
      }
      const values: unknown[] = [];
      for await (const value of valuesIn(response, type === "text/event-stream")) {
        check(schema, value, `a line of ${name}`);
        values.push(value);
        if (until?.(value)) break;
      }
      return { status, type, value: values };
    },
  };
}

function* operationsOf(
  document: Readonly<Record<string, unknown>>,
): Generator<[string, Operation]> {
  for (const [path, methods] of Object.entries(recordOf(document.paths))) {
    for (const [method, value] of Object.entries(recordOf(methods))) {
      const definition = recordOf(value);
      yield [String(definition.operationId), { method: method.toUpperCase(), path, definition }];
    }
  }
}

async function responseText(response: Response): Promise<string | undefined> {
  const text = await response.text();
  return text === "" ? undefined : text;
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null
    ? Object.fromEntries(Object.entries(value))
    : {};
}

/** A collector of OpenTelemetry over HTTP that keeps what it is sent. */
import { createServer } from "node:http";

export interface SpanCollector {
  /** Names the collector to a program. */
  readonly env: Readonly<Record<string, string>>;
  /** The operations of all spans so far, in order of their names. */
  operations(): readonly string[];
  /** Everything that was sent, as text. */
  received(): string;
  close(): void;
}

export async function startSpanCollector(): Promise<SpanCollector> {
  const bodies: string[] = [];
  const collector = createServer((request, response) => {
    request.setEncoding("utf8");
    request.on("data", (piece: string) => bodies.push(piece));
    request.on("end", () => response.end("{}"));
  });
  await new Promise<void>((resolve) => collector.listen(0, "127.0.0.1", resolve));
  const address = collector.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const received = (): string => bodies.join("");
  return {
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` },
    received,
    operations() {
      const names = received().match(/"name":"(?:invoke_agent|chat|execute_tool)/g) ?? [];
      return names.map((name) => name.slice('"name":"'.length)).toSorted();
    },
    close: () => collector.close().closeAllConnections(),
  };
}

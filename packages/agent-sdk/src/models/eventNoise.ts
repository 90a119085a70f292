/** Events that carry nothing: servers send them to keep a connection open. */
const noise: ReadonlySet<string> = new Set(["", "ping", "null", "{}", "keepalive", "keep-alive"]);

export function noiseOf(data: string): boolean {
  return data.length < 12 && noise.has(data.trim().toLowerCase());
}

/**
 * Splits chunks of bytes into lines. A line may come in any number of chunks; each byte is copied once. A line beyond 32
 * MB is not kept: the reader reports it once and stops.
 */
const newline = 0x0a;
const longestLine = 32 * 1_048_576;

export function createLineReader(
  onLine: (line: string) => void,
  onTooLong: () => void,
): (chunk: Buffer) => void {
  let parts: Buffer[] = [];
  let held = 0;
  let isTooLong = false;
  return (chunk) => {
    if (isTooLong) return;
    let from = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, from)) {
      const line = Buffer.concat([...parts, chunk.subarray(from, end)]).toString("utf8");
      parts = [];
      held = 0;
      from = end + 1;
      if (line.trim() !== "") onLine(line);
    }
    if (from < chunk.length) parts.push(chunk.subarray(from));
    held += chunk.length - from;
    if (held <= longestLine) return;
    isTooLong = true;
    parts = [];
    onTooLong();
  };
}

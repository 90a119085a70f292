/**
 * The bytes of a body that a request selects (RFC 9110, ranges and conditions). Pure. Several ranges, and unreadable
 * ranges, are answered with the whole.
 */
export type AskedBytes =
  | { readonly status: "whole" }
  /** `end` is the last byte, included. */
  | { readonly status: "part"; readonly start: number; readonly end: number }
  | { readonly status: "unsatisfiable" }
  | { readonly status: "unchanged" };

export interface Representation {
  readonly size: number;
  /** With its quotes. */
  readonly etag: string;
}

export function askedBytes(headers: Headers, { size, etag }: Representation): AskedBytes {
  if (tagsIn(headers.get("if-none-match")).some((tag) => tag === "*" || tag === etag)) {
    return { status: "unchanged" };
  }
  const ifRange = headers.get("if-range");
  if (ifRange !== null && ifRange.trim() !== etag) return { status: "whole" };
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(headers.get("range") ?? "") ?? [];
  if (first === undefined || last === undefined || first + last === "") return { status: "whole" };
  if (first === "") return suffix(Number(last), size);
  const start = Number(first);
  const end = last === "" ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== "" && Number(last) < start) return { status: "whole" };
  return start >= size ? { status: "unsatisfiable" } : { status: "part", start, end };
}

function suffix(length: number, size: number): AskedBytes {
  if (length === 0 || size === 0) return { status: "unsatisfiable" };
  return { status: "part", start: Math.max(0, size - length), end: size - 1 };
}

/** A weak tag names the same text; for a range it would not be enough. */
function tagsIn(header: string | null): readonly string[] {
  return (header ?? "").split(",").map((tag) => tag.trim().replace(/^W\//, ""));
}

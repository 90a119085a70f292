/**
 * Whether a text of JSON has a number that this language cannot hold: parsing and writing it again would change it. It
 * reads the text once, and only texts that may have such a number are looked at closely.
 */

/** More digits than any number can lose, or an exponent out of reach; also in a string, where it does not count. */
const suspect = /\d[\d.]{15}|[eE][+-]?\d{3}/;
const numbers = /-?\d[\d.eE+-]*/g;

export function hasInexactNumber(json: string): boolean {
  if (!suspect.test(json)) return false;
  for (let at = 0; at < json.length; ) {
    const quote = json.indexOf('"', at);
    const plain = json.slice(at, quote === -1 ? json.length : quote);
    if (suspect.test(plain) && !(plain.match(numbers) ?? []).every(isExact)) return true;
    if (quote === -1) return false;
    at = endOfString(json, quote);
  }
  return false;
}

/** The place after the string that starts with the quote. */
function endOfString(json: string, quote: number): number {
  for (let from = quote + 1; ; ) {
    const end = json.indexOf('"', from);
    if (end === -1) return json.length;
    let escapes = 0;
    while (json[end - 1 - escapes] === "\\") escapes += 1;
    if (escapes % 2 === 0) return end + 1;
    from = end + 1;
  }
}

function isExact(token: string): boolean {
  const value = Number(token);
  return Number.isFinite(value) && digitsOf(token) === digitsOf(String(value));
}

/** The digits that count and the place of the first: equal for two ways to write one number. */
function digitsOf(token: string): string {
  const [mantissa = "", exponent = "0"] = token.replace(/^-/, "").split(/[eE]/);
  const [whole = "", fraction = ""] = mantissa.split(".");
  const all = whole + fraction;
  const digits = all.replace(/^0+/, "");
  if (digits === "") return "0";
  const place = whole.length + Number(exponent) - (all.length - digits.length);
  return `${digits.replace(/0+$/, "")}e${place}`;
}

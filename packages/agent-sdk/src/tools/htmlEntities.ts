/** Character references of HTML: all numeric ones and the names that pages use. Others stay as they are. */
const named: ReadonlyMap<string, string> = new Map(
  Object.entries({
    amp: "&",
    lt: "<",
    gt: ">",
    quot: '"',
    apos: "'",
    nbsp: "\u00a0",
    shy: "",
    copy: "©",
    reg: "®",
    trade: "™",
    deg: "°",
    para: "¶",
    sect: "§",
    middot: "·",
    bull: "•",
    hellip: "…",
    ndash: "–",
    mdash: "—",
    lsquo: "‘",
    rsquo: "’",
    sbquo: "‚",
    ldquo: "“",
    rdquo: "”",
    bdquo: "„",
    laquo: "«",
    raquo: "»",
    lsaquo: "‹",
    rsaquo: "›",
    times: "×",
    divide: "÷",
    plusmn: "±",
    minus: "−",
    le: "≤",
    ge: "≥",
    ne: "≠",
    larr: "←",
    rarr: "→",
    uarr: "↑",
    darr: "↓",
    euro: "€",
    pound: "£",
    yen: "¥",
    cent: "¢",
    auml: "ä",
    ouml: "ö",
    uuml: "ü",
    Auml: "Ä",
    Ouml: "Ö",
    Uuml: "Ü",
    szlig: "ß",
    eacute: "é",
    egrave: "è",
    ecirc: "ê",
    agrave: "à",
    aacute: "á",
    acirc: "â",
    ccedil: "ç",
    ntilde: "ñ",
    oacute: "ó",
    iacute: "í",
    uacute: "ú",
    zwnj: "",
    zwj: "",
  }),
);

export function decodedEntities(text: string): string {
  if (!text.includes("&")) return text;
  return text.replaceAll(/&(#x[0-9a-f]{1,6}|#\d{1,7}|[a-z]{2,8});/gi, (whole, name: string) =>
    name.startsWith("#") ? characterOf(name) : (named.get(name) ?? whole),
  );
}

function characterOf(reference: string): string {
  const isHex = /^#x/i.test(reference);
  const code = Number.parseInt(reference.slice(isHex ? 2 : 1), isHex ? 16 : 10);
  const isValid = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return isValid ? String.fromCodePoint(code) : "\ufffd";
}

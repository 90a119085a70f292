/**
 * Glob patterns over paths with forward slashes: `*`, `?`, `[a-z]` within a name, `**` over folders,
 * `{a,b}`. A pattern without a slash is matched against names at any depth. The cost is bounded by
 * pattern times path, whatever the pattern.
 */
export type GlobMatcher = (path: string) => boolean;

const maxAlternatives = 64;

export function createGlob(pattern: string): GlobMatcher {
  const alternatives = expandBraces(pattern.replace(/^\.\//, "")).map((one) => {
    const segments = one.split("/").filter((segment) => segment !== "");
    return one.includes("/") ? segments : ["**", ...segments];
  });
  return (path) => {
    const names = path.split("/");
    return alternatives.some((segments) => matchesSegments(segments, names));
  };
}

function expandBraces(pattern: string): readonly string[] {
  const done: string[] = [];
  const open = [pattern];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    const [whole, before = "", inside = "", after = ""] =
      /^([^{}]*)\{([^{}]*)\}(.*)$/s.exec(one) ?? [];
    if (whole === undefined || done.length + open.length >= maxAlternatives) done.push(one);
    else open.push(...inside.split(",").map((choice) => before + choice + after));
  }
  return done;
}

/** `reached[i]`: whether the first i segments can match the names so far. */
function matchesSegments(segments: readonly string[], names: readonly string[]): boolean {
  let reached = withEmptyFolders(
    segments,
    segments.concat("").map((_, index) => index === 0),
  );
  for (const name of names) {
    const next = reached.map((_, index) => {
      const segment = segments[index - 1];
      if (segment === undefined) return false;
      if (segment === "**") return reached[index] === true || reached[index - 1] === true;
      return reached[index - 1] === true && matchesName(segment, name);
    });
    reached = withEmptyFolders(segments, next);
  }
  return reached.at(-1) === true;
}

/** `**` matches no folder at all too. */
function withEmptyFolders(segments: readonly string[], reached: readonly boolean[]): boolean[] {
  const closed = [...reached];
  segments.forEach((segment, index) => {
    if (segment === "**" && closed[index]) closed[index + 1] = true;
  });
  return closed;
}

/** Goes back only to the last star, so it is never worse than pattern times name. */
function matchesName(pattern: string, name: string): boolean {
  const tokens = tokensOf(pattern);
  let token = 0;
  let at = 0;
  let star = -1;
  let starAt = 0;
  while (at < name.length) {
    const current = tokens[token];
    if (current === "*") {
      star = token;
      starAt = at;
      token += 1;
    } else if (current !== undefined && matchesToken(current, name.charAt(at))) {
      token += 1;
      at += 1;
    } else if (star !== -1) {
      starAt += 1;
      at = starAt;
      token = star + 1;
    } else {
      return false;
    }
  }
  while (tokens[token] === "*") token += 1;
  return token === tokens.length;
}

function tokensOf(pattern: string): readonly string[] {
  return pattern.match(/\[[!^]?[^\]]+\]|./gs) ?? [];
}

function matchesToken(token: string, character: string): boolean {
  if (token === "?") return true;
  if (token.length === 1) return token === character;
  const isNot = /^\[[!^]/.test(token);
  const body = token.slice(isNot ? 2 : 1, -1);
  return isNot !== isInClass(body, character);
}

function isInClass(body: string, character: string): boolean {
  for (let at = 0; at < body.length; at += 1) {
    if (body.charAt(at + 1) === "-" && at + 2 < body.length) {
      if (body.charAt(at) <= character && character <= body.charAt(at + 2)) return true;
      at += 2;
    } else if (body.charAt(at) === character) {
      return true;
    }
  }
  return false;
}

/**
 * The environment of commands that agents of a server for many users start. It names what it passes on, so
 * that a secret of the server is never among it, whatever its name.
 */
type Environment = Readonly<Record<string, string | undefined>>;

const passedOn = new Set([
  "HOME",
  "LANG",
  "LANGUAGE",
  "LOGNAME",
  "PATH",
  "SHELL",
  "TERM",
  "TMPDIR",
  "TZ",
  "USER",
]);

/** The environment that commands need, and what the agent's configuration adds to it. */
export function toolEnvironment(env: Environment, added: Environment = {}): Environment {
  const own = Object.entries(env).filter(
    ([name]) => passedOn.has(name) || /^LC_[A-Z]+$/.test(name),
  );
  return { ...Object.fromEntries(own), ...added };
}

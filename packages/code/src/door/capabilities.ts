/** The capabilities of a stream: decided once from the environment and the kind of stream. Pure. */
export interface Capabilities {
  /** A person sees it, and the cursor can be moved. */
  readonly isRich: boolean;
  readonly hasColour: boolean;
  /** Whether anything may move by itself: spinners. */
  readonly hasMotion: boolean;
}

export interface CapabilitySettings {
  readonly colour: "auto" | "always" | "never";
  readonly reducedMotion: boolean;
  readonly screenReader: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * `NO_COLOR` and `FORCE_COLOR` count if they are not empty (`FORCE_COLOR=0` means no), `NO_COLOR` first; in `CI` and on
 * a dumb terminal nothing moves.
 */
export function capabilitiesOf(
  isTerminal: boolean,
  env: Environment,
  settings: CapabilitySettings,
): Capabilities {
  const isDumb = env.TERM === "dumb";
  const isRich = isTerminal && !isDumb && !settings.screenReader;
  const hasMotion = isRich && !settings.reducedMotion && !isSet(env.CI);
  return { isRich, hasColour: hasColour(isTerminal && !isDumb, env, settings), hasMotion };
}

function hasColour(canColour: boolean, env: Environment, settings: CapabilitySettings): boolean {
  if (settings.colour !== "auto") return settings.colour === "always";
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR) return !["0", "false"].includes(env.FORCE_COLOR);
  return canColour;
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== "" && value !== "0" && value !== "false";
}

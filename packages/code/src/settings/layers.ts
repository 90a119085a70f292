/**
 * Settings from several places made one: flags > environment > project file > user file > defaults.
 * Rules, servers, agents and hooks add up; of everything else the strongest place decides. Pure.
 */
import {
  defaultSettings,
  type SettingName,
  type Settings,
  type SettingsLayer,
} from "./settings.js";

export interface NamedLayer {
  /** `flag`, `CALLBOARD_MODEL`, a file's path. */
  readonly origin: string | ((name: SettingName) => string);
  readonly values: SettingsLayer;
}

export interface SettledSettings {
  readonly settings: Settings;
  /** The sources that decided a setting, the strongest first; empty if the default is in effect. */
  readonly origins: Readonly<Record<SettingName, readonly string[]>>;
}

/** The strongest layer first. */
export function settledSettings(layers: readonly NamedLayer[]): SettledSettings {
  const strongest = <Name extends SettingName>(name: Name): SettingsLayer[Name] | undefined =>
    layers.find(({ values }) => values[name] !== undefined)?.values[name];
  const joined = (name: "allow" | "deny" | "directories" | "modelOptions"): readonly string[] => [
    ...new Set(layers.flatMap(({ values }) => values[name] ?? [])),
  ];
  const weakestFirst = layers.toReversed();
  const settings: Settings = {
    model: strongest("model"),
    modelOptions: joined("modelOptions"),
    effort: strongest("effort"),
    maxOutputTokens: strongest("maxOutputTokens"),
    temperature: strongest("temperature"),
    modelTimeout: strongest("modelTimeout"),
    permissionMode: strongest("permissionMode") ?? defaultSettings.permissionMode,
    allow: joined("allow"),
    deny: joined("deny"),
    maxTurns: strongest("maxTurns"),
    maxCost: strongest("maxCost"),
    timeout: strongest("timeout"),
    onLimit: strongest("onLimit"),
    approvalTimeout: strongest("approvalTimeout"),
    systemPrompt: strongest("systemPrompt"),
    directories: joined("directories"),
    mcpServers: Object.assign({}, ...weakestFirst.map(({ values }) => values.mcpServers)),
    agents: Object.assign({}, ...weakestFirst.map(({ values }) => values.agents)),
    callRules: weakestFirst.flatMap(({ values }) => values.callRules ?? []),
    hooks: weakestFirst.flatMap(({ values }) => values.hooks ?? []),
    color: strongest("color") ?? defaultSettings.color,
    reducedMotion: strongest("reducedMotion") ?? defaultSettings.reducedMotion,
    screenReader: strongest("screenReader") ?? defaultSettings.screenReader,
  };
  return { settings, origins: originsOf(layers) };
}

const adding: ReadonlySet<SettingName> = new Set([
  "allow",
  "deny",
  "directories",
  "modelOptions",
  "mcpServers",
  "agents",
  "callRules",
  "hooks",
]);

function originsOf(layers: readonly NamedLayer[]): SettledSettings["origins"] {
  const of = (name: SettingName): readonly string[] => {
    const found = layers
      .filter(({ values }) => values[name] !== undefined)
      .map(({ origin }) => (typeof origin === "string" ? origin : origin(name)));
    return adding.has(name) ? found : found.slice(0, 1);
  };
  return {
    model: of("model"),
    modelOptions: of("modelOptions"),
    effort: of("effort"),
    maxOutputTokens: of("maxOutputTokens"),
    temperature: of("temperature"),
    modelTimeout: of("modelTimeout"),
    permissionMode: of("permissionMode"),
    allow: of("allow"),
    deny: of("deny"),
    maxTurns: of("maxTurns"),
    maxCost: of("maxCost"),
    timeout: of("timeout"),
    onLimit: of("onLimit"),
    approvalTimeout: of("approvalTimeout"),
    systemPrompt: of("systemPrompt"),
    directories: of("directories"),
    mcpServers: of("mcpServers"),
    agents: of("agents"),
    callRules: of("callRules"),
    hooks: of("hooks"),
    color: of("color"),
    reducedMotion: of("reducedMotion"),
    screenReader: of("screenReader"),
  };
}

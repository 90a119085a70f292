/** Code in the page's own colours. Languages are loaded one by one; one that is not known stays plain. */
import { use } from "react";
import { createCssVariablesTheme, createHighlighterCore, type HighlighterCore } from "shiki/core";
import { createJavaScriptRegexEngine } from "shiki/engine/javascript";
import { keyed } from "./keyed.js";
import { visibleText } from "./visibleText.js";

const theme = createCssVariablesTheme({ name: "callboard", variablePrefix: "--code-" });
const highlighter = createHighlighterCore({
  themes: [theme],
  langs: [],
  engine: createJavaScriptRegexEngine(),
});

type Loader = (known: HighlighterCore) => Promise<void>;
const script: Loader = (known) => known.loadLanguage(import("shiki/langs/tsx.mjs"));
const shell: Loader = (known) => known.loadLanguage(import("shiki/langs/bash.mjs"));
const python: Loader = (known) => known.loadLanguage(import("shiki/langs/python.mjs"));
const json: Loader = (known) => known.loadLanguage(import("shiki/langs/json.mjs"));
const sql: Loader = (known) => known.loadLanguage(import("shiki/langs/sql.mjs"));
const css: Loader = (known) => known.loadLanguage(import("shiki/langs/css.mjs"));
const diff: Loader = (known) => known.loadLanguage(import("shiki/langs/diff.mjs"));
const yaml: Loader = (known) => known.loadLanguage(import("shiki/langs/yaml.mjs"));

const languages: ReadonlyMap<string, readonly [name: string, loader: Loader]> = new Map([
  ["ts", ["tsx", script]],
  ["tsx", ["tsx", script]],
  ["typescript", ["tsx", script]],
  ["js", ["tsx", script]],
  ["jsx", ["tsx", script]],
  ["javascript", ["tsx", script]],
  ["sh", ["bash", shell]],
  ["bash", ["bash", shell]],
  ["shell", ["bash", shell]],
  ["py", ["python", python]],
  ["python", ["python", python]],
  ["json", ["json", json]],
  ["sql", ["sql", sql]],
  ["css", ["css", css]],
  ["diff", ["diff", diff]],
  ["yaml", ["yaml", yaml]],
  ["yml", ["yaml", yaml]],
]);

const loaded = new Map<string, Promise<HighlighterCore>>();

function highlighterFor(name: string, loader: Loader): Promise<HighlighterCore> {
  const known = loaded.get(name);
  if (known) return known;
  const loading = highlighter.then(async (ready) => {
    await loader(ready);
    return ready;
  });
  loaded.set(name, loading);
  return loading;
}

export interface CodeProps {
  readonly text: string;
  readonly language: string;
}

export default function Code({ text, language }: CodeProps) {
  const [name, loader] = languages.get(language) ?? [];
  if (name === undefined || loader === undefined) return <code>{visibleText(text)}</code>;
  return <Coloured text={text} name={name} loader={loader} />;
}

interface ColouredProps {
  readonly text: string;
  readonly name: string;
  readonly loader: Loader;
}

function Coloured({ text, name, loader }: ColouredProps) {
  const known = use(highlighterFor(name, loader));
  // Each line is drawn with its end: what follows the last one is no line.
  const lines = text.endsWith("\n") ? text.slice(0, -1) : text;
  const { tokens } = known.codeToTokens(lines, { lang: name, theme: "callboard" });
  return (
    <code>
      {keyed(tokens).map(({ key, item: line }) => (
        <span key={key}>
          {keyed(line).map(({ key: place, item: { content, color } }) => (
            <span key={place} style={{ color }}>
              {visibleText(content)}
            </span>
          ))}
          {"\n"}
        </span>
      ))}
    </code>
  );
}

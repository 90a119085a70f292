/** Markdown without raw HTML and without anything from another origin: images become their words. */
import { isValidElement, memo, type ReactNode, Suspense, useRef, useState } from "react";
import ReactMarkdown, { type Components } from "react-markdown";
import remarkGfm from "remark-gfm";
import { CopyButton } from "../calls/CopyButton.js";
import { lazyPart } from "../shell/lazyPart.js";
import { keyed } from "./keyed.js";
import { createBlockSplitter } from "./markdownBlocks.js";
import { Scroller } from "./Scroller.js";
import { visibleProse } from "./visibleText.js";

const Code = lazyPart(() => import("./Code.js"));

export interface MarkdownProps {
  readonly text: string;
  /** While it grows only its last block is parsed again. */
  readonly isOpen?: boolean;
}

export default function Markdown({ text, isOpen = false }: MarkdownProps) {
  return (
    <div className="prose-callboard" data-growing={isOpen || undefined}>
      {isOpen ? <Growing text={text} /> : <Block text={text} />}
    </div>
  );
}

function Growing({ text }: { readonly text: string }) {
  const [splitter] = useState(createBlockSplitter);
  return keyed(splitter.blocksOf(text)).map(({ key, item }) => <Block key={key} text={item} />);
}

const Block = memo(function Block({ text }: { readonly text: string }) {
  return (
    <ReactMarkdown remarkPlugins={[remarkGfm]} skipHtml components={components}>
      {visibleProse(text)}
    </ReactMarkdown>
  );
});

/** Headings of a text are below those of the page. */
const components: Components = {
  h1: ({ children }) => <h3>{children}</h3>,
  h2: ({ children }) => <h4>{children}</h4>,
  h3: ({ children }) => <h5>{children}</h5>,
  h4: ({ children }) => <h6>{children}</h6>,
  h5: ({ children }) => <h6>{children}</h6>,
  img: ({ alt, src }) => (
    <span className="text-quiet">[image: {alt || (typeof src === "string" ? src : "")}]</span>
  ),
  a: ({ href, children }) => (
    <a href={href} rel="noreferrer noopener" target="_blank" className="link">
      {children}
    </a>
  ),
  input: ({ checked }) => (
    <span className="task" data-checked={checked || undefined}>
      <span aria-hidden="true">{checked ? "☑" : "☐"}</span>
      <span className="sr-only">{checked ? "done: " : "to do: "}</span>
    </span>
  ),
  pre: ({ children }) => <CodeBlock>{children}</CodeBlock>,
  table: ({ children }) => (
    <Scroller label="Table">
      <table>{children}</table>
    </Scroller>
  ),
  code: ({ className, children }) => (
    <CodeText language={languageIn(className)}>{children}</CodeText>
  ),
};

/** A block of code under the name of its language, with a way to take it along. */
function CodeBlock({ children }: { readonly children?: ReactNode }) {
  const block = useRef<HTMLDivElement>(null);
  const { className }: { className?: string } = isValidElement<{ className?: string }>(children)
    ? children.props
    : {};
  const language = languageIn(className);
  return (
    <div className="code-block">
      <div className="code-head" data-actions="">
        <span>{language ?? "text"}</span>
        <CopyButton text={() => block.current?.textContent ?? ""} what="code" look="action" />
      </div>
      <div ref={block}>
        <Scroller label="Code">
          <pre>{children}</pre>
        </Scroller>
      </div>
    </div>
  );
}

function languageIn(className: string | undefined): string | undefined {
  return /language-([\w+#-]+)/.exec(className ?? "")?.[1];
}

interface CodeTextProps {
  readonly language: string | undefined;
  readonly children: ReactNode;
}

/** Code in a language that is known is coloured once the colours are loaded. */
function CodeText({ language, children }: CodeTextProps) {
  const plain = <code>{children}</code>;
  if (language === undefined || typeof children !== "string") return plain;
  return (
    <Suspense fallback={plain}>
      <Code text={children} language={language} />
    </Suspense>
  );
}

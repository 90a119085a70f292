/** Any value, drawn by its shape: good enough for a tool without a renderer. */
import type { JsonObject, JsonValue } from "@callboard/run-log";
import { Suspense, useState } from "react";
import { lazyPart } from "../shell/lazyPart.js";
import { keyed } from "./keyed.js";
import { Scroller } from "./Scroller.js";
import { type Shape, shapeOf } from "./shapes.js";
import { TextView } from "./TextView.js";
import { visibleText } from "./visibleText.js";

const Markdown = lazyPart(() => import("./Markdown.js"));

export interface ShapeViewProps {
  readonly shape: Shape;
  /** Draws the colours of terminal output; else an escape sequence is written out. */
  readonly hasColours?: boolean;
}

export function ShapeView({ shape, hasColours = false }: ShapeViewProps) {
  switch (shape.type) {
    case "empty":
      return <p className="text-quiet text-sm italic">Nothing came back.</p>;
    case "scalar":
      return <p className="font-mono text-sm">{visibleText(shape.text)}</p>;
    case "text":
      return <TextView text={shape.text} hasColours={hasColours} />;
    case "markdown":
      return (
        <Suspense fallback={<TextView text={shape.text} />}>
          <Markdown text={shape.text} />
        </Suspense>
      );
    case "media":
      return <MediaView mediaType={shape.mediaType} source={shape.source} />;
    case "parts":
      return (
        <div className="space-y-2">
          {keyed(shape.parts).map(({ key, item }) => (
            <ShapeView key={key} shape={item} hasColours={hasColours} />
          ))}
        </div>
      );
    case "list":
      return (
        <ul className="list-disc pl-5 text-sm">
          {keyed(shape.items.slice(0, mostRows)).map(({ key, item }) => (
            <li key={key}>{cellText(item)}</li>
          ))}
          <Rest count={shape.items.length} />
        </ul>
      );
    case "table":
      return <TableView columns={shape.columns} rows={shape.rows} />;
    case "keyValue":
      return <KeyValueView entries={shape.entries} />;
    case "tree":
      return <TreeView value={shape.value} />;
    default:
      return shape satisfies never;
  }
}

function MediaView({
  mediaType,
  source,
}: {
  readonly mediaType: string;
  readonly source: string | undefined;
}) {
  if (source === undefined) return <p className="text-quiet text-sm">[{mediaType}]</p>;
  const name = `A picture (${mediaType})`;
  return <img alt={name} className="max-h-80 rounded border border-line" src={source} />;
}

const mostRows = 200;

function TableView({
  columns,
  rows,
}: {
  readonly columns: readonly string[];
  readonly rows: readonly JsonObject[];
}) {
  return (
    <Scroller label="Table">
      <table className="w-full border-collapse text-left text-sm">
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col" className="sticky top-0 bg-raised px-2 py-1 font-medium">
                {visibleText(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {keyed(rows.slice(0, mostRows)).map(({ key, item }) => (
            <tr key={key} className="border-line border-t align-top">
              {columns.map((column) => (
                <td key={column} className="px-2 py-1">
                  {cellText(Object.hasOwn(item, column) ? item[column] : undefined)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > mostRows && (
        <p className="p-2 text-quiet text-sm">{rows.length - mostRows} more rows are in Raw.</p>
      )}
    </Scroller>
  );
}

function KeyValueView({
  entries,
}: {
  readonly entries: readonly (readonly [string, JsonValue])[];
}) {
  return (
    <dl className="grid grid-cols-[max-content_1fr] gap-x-4 gap-y-1 text-sm">
      {entries.slice(0, mostRows).map(([key, value]) => (
        <div key={key} className="contents">
          <dt className="text-quiet">{visibleText(key)}</dt>
          <dd className="min-w-0 whitespace-pre-wrap">{cellText(value)}</dd>
        </div>
      ))}
      {entries.length > mostRows && (
        <div className="contents">
          <dt className="text-quiet">…</dt>
          <dd className="text-quiet">{entries.length - mostRows} more are in Raw.</dd>
        </div>
      )}
    </dl>
  );
}

const deepestOpen = 2;

/** If there are more of them, they are closed at first. */
const mostOpen = 20;

/** A tree of native disclosures: opened by hand below its first levels, and mounted only then. */
export function TreeView({
  value,
  depth = 0,
}: {
  readonly value: JsonValue;
  readonly depth?: number;
}) {
  if (typeof value !== "object" || value === null) {
    return <span className="font-mono text-sm">{cellText(value)}</span>;
  }
  const entries = Object.entries(value);
  const isOpenAtFirst = depth < deepestOpen && entries.length <= mostOpen;
  return (
    <ul className="text-sm">
      {entries.slice(0, mostRows).map(([key, one]) => (
        <li key={key} className="pl-3">
          {typeof one === "object" && one !== null ? (
            <Branch name={key} value={one} depth={depth} isOpenAtFirst={isOpenAtFirst} />
          ) : (
            <>
              <span className="text-quiet">{visibleText(key)}: </span>
              <span className="whitespace-pre-wrap font-mono">{cellText(one)}</span>
            </>
          )}
        </li>
      ))}
      <Rest count={entries.length} />
    </ul>
  );
}

interface BranchProps {
  readonly name: string;
  readonly value: JsonObject | readonly JsonValue[];
  readonly depth: number;
  readonly isOpenAtFirst: boolean;
}

function Branch({ name, value, depth, isOpenAtFirst }: BranchProps) {
  const [isOpen, setIsOpen] = useState(isOpenAtFirst);
  return (
    <details open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary className="cursor-pointer">
        {visibleText(name)} <span className="text-quiet">{sizeText(value)}</span>
      </summary>
      {isOpen && <TreeView value={value} depth={depth + 1} />}
    </details>
  );
}

/** The omitted part of a long list. */
function Rest({ count }: { readonly count: number }) {
  if (count <= mostRows) return null;
  return <li className="pl-3 text-quiet">{count - mostRows} more are in Raw.</li>;
}

export function ValueView({ value }: { readonly value: JsonValue }) {
  return <ShapeView shape={shapeOf(value)} />;
}

function sizeText(value: object): string {
  const count = Object.keys(value).length;
  return Array.isArray(value) ? `[${count}]` : `{${count}}`;
}

function cellText(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return "–";
  if (Array.isArray(value)) return value.map((one) => cellText(one)).join(", ");
  return visibleText(typeof value === "object" ? JSON.stringify(value) : String(value));
}

/** Growing Markdown in blocks: the text before the last blank line outside a fence no longer changes. Each call reads only the new text. */
export interface BlockSplitter {
  /** The whole text so far. One that is shorter than the last is read from its start. */
  blocksOf(text: string): readonly string[];
}

const fence = /^ {0,3}(`{3,}|~{3,})/;

export function createBlockSplitter(): BlockSplitter {
  let settled: readonly string[] = [];
  /** The start of the growing block, and of the first line that was not judged yet. */
  let blockStart = 0;
  let lineStart = 0;
  let openFence: string | undefined;
  return {
    blocksOf(text) {
      if (text.length < lineStart) {
        settled = [];
        blockStart = 0;
        lineStart = 0;
        openFence = undefined;
      }
      for (let end = text.indexOf("\n", lineStart); end !== -1; ) {
        const line = text.slice(lineStart, end);
        const [, mark] = fence.exec(line) ?? [];
        if (openFence === undefined) openFence = mark;
        else if (mark?.startsWith(openFence)) openFence = undefined;
        lineStart = end + 1;
        if (line.trim() === "" && openFence === undefined) {
          const block = text.slice(blockStart, lineStart);
          if (block.trim() !== "") settled = [...settled, block];
          blockStart = lineStart;
        }
        end = text.indexOf("\n", lineStart);
      }
      const rest = text.slice(blockStart);
      return rest.trim() === "" ? settled : [...settled, rest];
    },
  };
}

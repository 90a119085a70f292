/** The words of a markdown text in one line: for labels, where its marks would only be noise. */
export function plainLine(markdown: string): string {
  return markdown
    .replaceAll(/^\s*(?:[#>]+|[-*+]|\d+\.)\s+/gm, "")
    .replaceAll(/^[\s|:-]*-{3,}[\s|:-]*$/gm, "")
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/\*\*|__|~~|`/g, "")
    .replaceAll(/\s*\|\s*/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
}

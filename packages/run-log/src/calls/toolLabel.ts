/** A tool's name as people read it: `get_news_headlines` is "Get News Headlines". */
export function toolLabel(toolName: string): string {
  return toolName
    .replaceAll(/([\p{Ll}\d])(\p{Lu})/gu, "$1 $2")
    .split(/[\s_\-./:]+/)
    .filter((word) => word !== "")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(" ");
}

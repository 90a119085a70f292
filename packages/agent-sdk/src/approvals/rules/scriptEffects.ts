/**
 * Small programs in arguments: a script of sed or awk, the second file of uniq, a variable of printf. A script that does
 * more than print and replace is not covered by a wildcard. In doubt it has an effect.
 */

const plainSedOption = /^-[nErzus]+$|^--(?:quiet|silent|regexp-extended|null-data)$/;
const line = String.raw`(?:\d+|\$|/(?:[^/\\\n]|\\.)*/)`;
const sedPrints = new RegExp(String.raw`^(?:${line}(?:,\+?${line})?)?[pdq=]$`);
const sedReplaces = new RegExp(
  String.raw`^(?:${line}(?:,\+?${line})?)?s([/|,#:@])(?:(?!\1)[^\\\n]|\\.)*\1(?:(?!\1)[^\\\n]|\\.)*\1[gpIi0-9]*$`,
);

/** Whether the arguments make the program run something, write a file or change a variable. */
export function hasEffect(name: string, words: readonly string[]): boolean {
  switch (name) {
    case "sed":
    case "gsed":
      return sedHasEffect(words);
    case "awk":
    case "gawk":
    case "mawk":
    case "nawk":
      // Pipes, files, other programs and extensions; options other than the separator of fields.
      return words.some((word) =>
        word.startsWith("-") ? !word.startsWith("-F") : /system|getline|[|>@]/.test(word),
      );
    case "uniq":
      return words.filter((word) => !word.startsWith("-")).length > 1;
    case "printf":
    case "test":
    case "[":
      // bash computes the subscript of the variable that it is given.
      return words.some((word) => word.startsWith("-v") || word.startsWith("-R"));
    default:
      return false;
  }
}

function sedHasEffect(words: readonly string[]): boolean {
  const options = words.filter((word) => word.startsWith("-"));
  if (!options.every((option) => plainSedOption.test(option))) return true;
  const script = words.find((word) => !word.startsWith("-"));
  return script !== undefined && !sedPrints.test(script) && !sedReplaces.test(script);
}

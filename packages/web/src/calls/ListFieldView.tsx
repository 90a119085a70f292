/** A field of a form of which any of several words can be taken: a box for each. */
import { keyed } from "../values/keyed.js";
import { visibleText } from "../values/visibleText.js";

export interface ListFieldViewProps {
  readonly label: string;
  readonly description: string | undefined;
  readonly words: readonly { readonly word: string; readonly name: string }[];
  readonly taken: readonly string[];
  readonly onTake: (taken: readonly string[]) => void;
}

export function ListFieldView({ label, description, words, taken, onTake }: ListFieldViewProps) {
  return (
    <fieldset className="break-words text-sm">
      <legend>{visibleText(label)}</legend>
      {description !== undefined && <p className="text-quiet">{visibleText(description)}</p>}
      {keyed(words).map(({ key, item: { word, name } }) => (
        <label key={key} className="mr-3 inline-block">
          <input
            type="checkbox"
            className="mr-1"
            checked={taken.includes(word)}
            onChange={({ target: { checked } }) => {
              const others = taken.filter((one) => one !== word);
              onTake(checked ? [...others, word] : others);
            }}
          />
          {visibleText(name)}
        </label>
      ))}
    </fieldset>
  );
}

/** Code without colours: an exported file does without the grammars. */
export default function PlainCode({ text }: { readonly text: string }) {
  return <code>{text}</code>;
}

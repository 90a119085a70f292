/** A question on the page, among all that are open: approvals and questions of the model share the number keys. */
import { type RefObject, useEffect, useRef, useSyncExternalStore } from "react";
import { createQuestions } from "./questions.js";

const questions = createQuestions(window);

/** Registers the question as long as it can be answered; returns whether keys answer it. */
export function useQuestion(
  element: RefObject<HTMLElement | null>,
  isReadOnly: boolean,
  choose: (index: number) => void,
): boolean {
  const latest = useRef(choose);
  useEffect(() => {
    latest.current = choose;
  });
  useEffect(() => {
    if (isReadOnly || !element.current) return undefined;
    return questions.add({
      element: element.current,
      choose: (index) => latest.current(index),
    });
  }, [element, isReadOnly]);
  return useSyncExternalStore(questions.subscribe, () => questions.isCurrent(element.current));
}

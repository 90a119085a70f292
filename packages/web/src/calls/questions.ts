/**
 * The open questions on the page, and the one that the number keys answer: the question that has the
 * focus, else the first one whose answers are in sight. A key never answers a question out of sight: it
 * brings the first one into sight instead. When one question takes the place of another, keys are ignored
 * for a moment, so that a key pressed twice does not answer two questions.
 */
export interface Question {
  readonly element: HTMLElement;
  /** Chooses the option at an index, counted from 0. */
  choose(index: number): void;
}

export interface Questions {
  /** Adds a question; the function that comes back removes it. */
  add(question: Question): () => void;
  isCurrent(element: HTMLElement | null): boolean;
  /** Tells of every change of the current question. */
  subscribe(listener: () => void): () => void;
}

const settleMs = 400;

export function createQuestions(page: Window): Questions {
  const { document } = page;
  const open = new Set<Question>();
  const listeners = new Set<() => void>();
  let current: Question | undefined;
  let changedAt = Number.NEGATIVE_INFINITY;

  function update(): void {
    const next = currentOf(page, open);
    if (next === current) return;
    if (current !== undefined) changedAt = page.performance.now();
    current = next;
    for (const listener of listeners) listener();
  }

  function onKeyDown(event: KeyboardEvent): void {
    const index = Number(event.key) - 1;
    if (!/^[1-9]$/.test(event.key) || event.repeat || event.defaultPrevented) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (document.querySelector("dialog[open]") || isField(document.activeElement)) return;
    const shown = current;
    update();
    if (current === undefined || current !== shown) {
      const [first] = inOrder(open);
      (current ?? first)?.element.scrollIntoView({ block: "nearest" });
      update();
      return;
    }
    if (page.performance.now() - changedAt < settleMs) return;
    event.preventDefault();
    current.choose(index);
  }

  const moves = ["scroll", "resize", "focusin", "focusout"] as const;
  const whenMoved = { capture: true, passive: true } as const;

  function listen(): void {
    for (const move of moves) page.addEventListener(move, update, whenMoved);
    page.addEventListener("keydown", onKeyDown);
  }

  function stopListening(): void {
    for (const move of moves) page.removeEventListener(move, update, whenMoved);
    page.removeEventListener("keydown", onKeyDown);
  }

  return {
    add(question) {
      if (open.size === 0) listen();
      open.add(question);
      if (currentOf(page, open) === undefined)
        question.element.scrollIntoView({ block: "nearest" });
      update();
      return () => {
        open.delete(question);
        if (open.size === 0) stopListening();
        update();
      };
    },
    isCurrent: (element) => element !== null && current?.element === element,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function currentOf(page: Window, open: ReadonlySet<Question>): Question | undefined {
  const ordered = inOrder(open);
  const { activeElement } = page.document;
  const focused = ordered.find(({ element }) => element.contains(activeElement));
  return focused ?? ordered.find(({ element }) => isInSight(page, element));
}

function inOrder(open: ReadonlySet<Question>): readonly Question[] {
  return [...open].sort((one, other) => {
    const place = one.element.compareDocumentPosition(other.element);
    return place & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1;
  });
}

/** Its answers are in sight when at least one of its buttons is, whole. */
function isInSight(page: Window, element: HTMLElement): boolean {
  return [...element.querySelectorAll("button")].some((button) => {
    const { top, bottom, height } = button.getBoundingClientRect();
    return height > 0 && top >= 0 && bottom <= page.innerHeight;
  });
}

function isField(element: Element | null): boolean {
  return element?.matches("input:not([type=checkbox]), textarea, select") ?? false;
}

/** What a page stores in its browser. A page without storage works too. */
export function keptText(storage: () => Storage, key: string): string | undefined {
  try {
    return storage().getItem(key) ?? undefined;
  } catch (error) {
    if (error instanceof DOMException) return undefined;
    throw error;
  }
}

/** An empty text is forgotten. */
export function keepText(storage: () => Storage, key: string, text: string): void {
  try {
    if (text === "") storage().removeItem(key);
    else storage().setItem(key, text);
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
  }
}

export const browserStorage = (): Storage => window.localStorage;
export const tabStorage = (): Storage => window.sessionStorage;

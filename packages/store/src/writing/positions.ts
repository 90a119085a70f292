/** The positions of a conversation's messages, handed out one after the other and never again. */
export interface Positions {
  take(): number;
}

export function createPositions(first: number): Positions {
  let next = first;
  return {
    take() {
      next += 1;
      return next - 1;
    },
  };
}

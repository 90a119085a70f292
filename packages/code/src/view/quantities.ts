/** Amounts as people read them: times, sizes, money, counts. */
import type { ContextSize, Usage } from "@callboard/run-log";

export function durationText(milliseconds: number): string {
  const seconds = Math.max(0, milliseconds) / 1_000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const whole = Math.floor(seconds);
  if (whole < 3_600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3_600)} h ${Math.floor((whole % 3_600) / 60)} min`;
}

export function sizeText(characters: number): string {
  if (characters < 1_000) return `${characters} characters`;
  if (characters < 1_000_000) return `${(characters / 1_000).toFixed(1)} KB`;
  return `${(characters / 1_000_000).toFixed(1)} MB`;
}

export function countText(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

export function moneyText(usd: number): string {
  return `$${usd < 0.01 && usd > 0 ? usd.toFixed(4) : usd.toFixed(2)}`;
}

/** An unknown cost is not zero. */
export function usageText({ inputTokens, outputTokens, costUsd }: Usage): string {
  const tokens = `${tokensText(inputTokens)} tokens in, ${tokensText(outputTokens)} out`;
  return costUsd === undefined ? tokens : `${tokens}, ${moneyText(costUsd)}`;
}

/** `context 6% of 200.0k`; the tokens alone if the model's window is unknown. */
export function contextText({ tokens, window }: ContextSize): string {
  if (window === undefined) return `context ${tokensText(tokens)} tokens`;
  return `context ${Math.round((100 * tokens) / window)}% of ${tokensText(window)}`;
}

export function tokensText(count: number): string {
  if (count < 1_000) return String(count);
  return count < 1_000_000
    ? `${(count / 1_000).toFixed(1)}k`
    : `${(count / 1_000_000).toFixed(1)}M`;
}

export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly { readonly name: string; readonly cells: readonly string[] }[];
}
export interface Lines {
  readonly title: string;
  readonly note: string;
  readonly across: string;
  readonly up: string;
  readonly lines: readonly {
    readonly name: string;
    readonly points: readonly (readonly [number, number])[];
  }[];
}
export interface Bars {
  readonly title: string;
  readonly note: string;
  readonly unit: string;
  readonly bars: readonly { readonly name: string; readonly value: number }[];
}
export function tableUnder(text: string, heading: string, corner: string): Table;
export function numberIn(cell: string, unit?: string): number | undefined;
export function sizeIn(name: string): number;
export function powersAround(values: readonly number[]): readonly number[];
export function logScale(
  ticks: readonly number[],
  from: number,
  to: number,
): (value: number) => number;
export function lineChart(plot: Lines): string;
export function barChart(plot: Bars): string;

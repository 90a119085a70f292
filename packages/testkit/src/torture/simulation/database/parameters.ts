/** The parameters of a statement, each read as what the statement says that it is. */
export class Parameters {
  readonly #values: readonly unknown[];

  constructor(values: readonly unknown[]) {
    this.#values = values;
  }

  /** Places count from 1, as in SQL. */
  at(place: number): unknown {
    return this.#values[place - 1];
  }

  text(place: number): string {
    const value = this.at(place);
    if (typeof value === "string") return value;
    throw this.#wrong(place, "a text");
  }

  number(place: number): number {
    const value = this.at(place);
    if (typeof value === "number") return value;
    throw this.#wrong(place, "a number");
  }

  isTrue(place: number): boolean {
    return this.at(place) === true;
  }

  list(place: number): readonly unknown[] {
    const value = this.at(place);
    if (Array.isArray(value)) return value;
    throw this.#wrong(place, "a list");
  }

  texts(place: number): readonly string[] {
    return this.list(place).map((value) => {
      if (typeof value === "string") return value;
      throw this.#wrong(place, "a list of texts");
    });
  }

  numbers(place: number): readonly number[] {
    return this.list(place).map((value) => {
      if (typeof value === "number") return value;
      throw this.#wrong(place, "a list of numbers");
    });
  }

  numbersOrNull(place: number): readonly (number | null)[] {
    return this.list(place).map((value) => (typeof value === "number" ? value : null));
  }

  textsOrNull(place: number): readonly (string | null)[] {
    return this.list(place).map((value) => (typeof value === "string" ? value : null));
  }

  #wrong(place: number, what: string): TypeError {
    return new TypeError(`$${place} must be ${what}, not ${typeof this.at(place)}`);
  }
}

/** The current value is put here after each delta, so that making it cannot be optimised away. */
export const seen = { value: /** @type {unknown} */ (undefined) };

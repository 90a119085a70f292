/** The run was parked while this waited for an answer. It is no failure: another process goes on. */
export class ParkedError extends Error {
  override readonly name = "ParkedError";
  constructor() {
    super("the run was parked");
  }
}

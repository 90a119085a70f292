/** The run was parked while this waited for an answer. It is not a failure: another process resumes the run. */
export class ParkedError extends Error {
  override readonly name = "ParkedError";
  constructor() {
    super("the run was parked");
  }
}

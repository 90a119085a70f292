/** The error of whoever waits for updates that cannot be written. */

/** The pipe accepted nothing, several times in a row. The pending updates are kept and sent with the next offer. */
export class UpdateWriteError extends Error {
  override readonly name = "UpdateWriteError";
  constructor(cause: unknown) {
    super("the client's side of the connection takes no updates", { cause });
  }
}

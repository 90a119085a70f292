/** The only user of a local server. If the database has accounts, it must be one of them. */
import { isUuid, type Store } from "@callboard/store";
import { ServerConfigurationError } from "../configurationError.js";
import { localUserId } from "./localToken.js";

/** Throws a ServerConfigurationError that names the variable to set. */
export async function localUserFrom(
  env: Readonly<Record<string, string | undefined>>,
  store: Pick<Store, "hasAccount">,
): Promise<string> {
  const userId = env.CALLBOARD_USER_ID?.toLowerCase() || localUserId;
  if (!isUuid(userId)) {
    throw new ServerConfigurationError(
      `CALLBOARD_USER_ID is the UUID of an account, not "${env.CALLBOARD_USER_ID}".`,
    );
  }
  if (await store.hasAccount(userId)) return userId;
  throw new ServerConfigurationError(
    `The database has accounts (auth.users), and user ${userId} is not one of them. Set CALLBOARD_USER_ID to the id of the account that uses this server: select id, email from auth.users.`,
  );
}

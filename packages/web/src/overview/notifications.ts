/** Whether the system shows questions while the page is not visible. Off until a person requests it. */
import { browserStorage, keepText, keptText } from "../shell/kept.js";

const key = "callboard.notifications";

export function areNotificationsWanted(): boolean {
  if (!("Notification" in window) || Notification.permission !== "granted") return false;
  return keptText(browserStorage, key) === "on";
}

/** Resolves with whether they are shown from now on. The browser asks the person the first time. */
export async function wantNotifications(areWanted: boolean): Promise<boolean> {
  keepText(browserStorage, key, areWanted ? "on" : "");
  if (!areWanted || !("Notification" in window)) return false;
  return (await Notification.requestPermission()) === "granted";
}

/** Requests notifications from the browser when it is pressed, never by itself; shows if the browser refuses them. */
import { useState } from "react";
import { areNotificationsWanted, wantNotifications } from "./notifications.js";

export function NotifyButton() {
  const [isOn, setIsOn] = useState(areNotificationsWanted);
  const [isRefused, setIsRefused] = useState(false);
  async function turn(isWanted: boolean): Promise<void> {
    const isGiven = await wantNotifications(isWanted);
    setIsOn(isGiven);
    setIsRefused(isWanted && !isGiven);
  }
  return (
    <>
      {isRefused && (
        <span role="status" className="text-failed text-sm">
          The browser blocks notifications of this page. Allow them in its settings.
        </span>
      )}
      <button
        type="button"
        className="button"
        aria-pressed={isOn}
        title="Your system shows a notification when a call waits for you and this page is not visible"
        onClick={() => void turn(!isOn)}
      >
        Notify me
      </button>
    </>
  );
}

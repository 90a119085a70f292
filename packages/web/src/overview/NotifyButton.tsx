/** Asks the browser for notifications when it is pressed, never by itself; says where the browser does not give them. */
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
        title="The system tells you when a call waits for you and this page is not in sight"
        onClick={() => void turn(!isOn)}
      >
        Notify me
      </button>
    </>
  );
}

/** Shows that the content below is a replay, and leads back to the live page. */
export function ReplayBanner({ onClose }: { readonly onClose: () => void }) {
  return (
    <p
      role="status"
      className="flex flex-wrap items-center gap-2 border-approval border-b bg-approval/10 px-4 py-1.5 text-sm"
    >
      <strong className="text-approval">Replay</strong>
      <span className="grow">
        The chat and the board as they were. Nothing can be sent from here.
      </span>
      <button type="button" className="button" onClick={onClose}>
        Back to live <kbd className="key">l</kbd>
      </button>
    </p>
  );
}

/** Shows that the content below is a replay, and leads back to the live page. */
export function ReplayBanner({ onClose }: { readonly onClose: () => void }) {
  return (
    <p
      role="status"
      className="flex items-center gap-2 border-line border-b bg-chosen px-4 py-1.5 text-sm"
    >
      <strong className="text-accent">Replay</strong>
      <span className="min-w-0 grow">
        The chat and the board as they were. Nothing can be sent from here.
      </span>
      <button type="button" className="button shrink-0" onClick={onClose}>
        Back to live <kbd className="key">l</kbd>
      </button>
    </p>
  );
}

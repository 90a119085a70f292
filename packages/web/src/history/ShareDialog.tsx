/** The shares of a conversation: holders of links, and users of this server. */
import { Dialog } from "../shell/Dialog.js";
import { ShareLinks } from "./ShareLinks.js";
import { UserShares } from "./UserShares.js";

export interface ShareDialogProps {
  readonly conversationId: string;
  readonly onClose: () => void;
}

export function ShareDialog({ conversationId, onClose }: ShareDialogProps) {
  return (
    <Dialog title="Share the conversation" onClose={onClose}>
      <ShareLinks conversationId={conversationId} />
      <details className="mt-4 border-line border-t pt-3">
        <summary className="cursor-pointer text-quiet text-sm">Users of this server</summary>
        <UserShares conversationId={conversationId} />
      </details>
    </Dialog>
  );
}

/** Words that requests and answers share. */
export const shareLevels = ["viewer", "editor", "admin"] as const;

/** When a message that waits is read: after the run, or before the model's next answer. */
export const whenWords = ["queue", "steer"] as const;

/** How many runs and conversations one stream may name. */
export const mostWatched = 1_000;

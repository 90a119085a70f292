/** Read what a Callboard server writes: stream, resume, fold; React hooks. */
export {};

/** Run agents over HTTP: execute, resume anywhere, hold thousands of readers. */
export {};

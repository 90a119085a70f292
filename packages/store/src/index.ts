/** The run log and the cx_* tables in PostgreSQL, embedded or served. */
export {};

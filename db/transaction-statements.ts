/** Begins a transaction that holds SQLite's one write lock. */
export const BEGIN = "BEGIN IMMEDIATE";
export const COMMIT = "COMMIT";
export const ROLLBACK = "ROLLBACK";

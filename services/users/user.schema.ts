/** Whether a user may act: the keys of an inactive one open nothing. */
export const userStatuses = ["active", "inactive"] as const;
export type UserStatus = (typeof userStatuses)[number];

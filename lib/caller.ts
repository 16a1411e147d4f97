/** What a user may do, from least to most. */
export const roles = ["viewer", "editor", "admin"] as const;
export type Role = (typeof roles)[number];

/** What an action asks of its caller's role. `operate` is for those at the program's own console alone. */
export type Permission = "read" | "writeRecords" | "administer" | "operate";

const permissionsByRole: Readonly<Record<Role, readonly Permission[]>> = {
  viewer: ["read"],
  editor: ["read", "writeRecords"],
  admin: ["read", "writeRecords", "administer"],
};

/** On whose behalf an action runs: it sees this workspace and no other. */
export interface Caller {
  readonly workspaceId: string;
  readonly userId: string;
  readonly keyId: string;
  readonly role: Role;
}

/** Whether the role carries the permission. */
export function isAllowed(role: Role, permission: Permission): boolean {
  return permissionsByRole[role].includes(permission);
}

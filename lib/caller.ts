import type { Cipher } from "./cipher.ts";

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
  /** Where the call answers a request with an `Idempotency-Key`: see mixins/idempotency.middleware.ts. */
  readonly claim?: Claim;
}

/** The right to answer a request that may come again: its write and its answer are stored together. */
export interface Claim {
  /** Names the request within its workspace. */
  readonly requestHash: string;
  /** Names who holds the claim. It ends by itself, and then another one may hold it. */
  readonly id: string;
  /** Seals an answer that holds a secret, for this place. */
  readonly vault?: { readonly cipher: Cipher; readonly place: string };
  /** Whether the answer is stored. */
  isAnswered: boolean;
}

/** Whether the role carries the permission. */
export function isAllowed(role: Role, permission: Permission): boolean {
  return permissionsByRole[role].includes(permission);
}

import { expect, test } from "@jest/globals";
import { isAllowed, type Permission, type Role } from "../../../lib/caller.ts";

const table: [Role, Record<Permission, boolean>][] = [
  ["viewer", { read: true, writeRecords: false, administer: false, operate: false }],
  ["editor", { read: true, writeRecords: true, administer: false, operate: false }],
  ["admin", { read: true, writeRecords: true, administer: true, operate: false }],
];

test.each(table)("a %s may do what the contract says and no more", (role, permissions) => {
  for (const permission of ["read", "writeRecords", "administer", "operate"] as const) {
    expect([permission, isAllowed(role, permission)]).toEqual([permission, permissions[permission]]);
  }
});

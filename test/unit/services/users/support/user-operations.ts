import fc from "fast-check";
import { roles } from "../../../../../lib/caller.ts";
import {
  type NewUser,
  type UserPatch,
  type UserResource,
  userStatuses,
} from "../../../../../services/users/user.schema.ts";
import type { UserWorkspace } from "./test-users.ts";

/** Equal values, words that begin alike, and names that sort otherwise by UTF-16 unit than by code point. */
const names = fc.constantFrom(
  "zebra",
  "Zebra crossing",
  "zeb",
  "a",
  "a ",
  "é",
  "～",
  "😀",
  "\u{10000}",
  "数据库",
);
/** Few, so that they meet: the last two differ in case alone. */
const emails = fc.constantFrom(
  "zebra@example.com",
  "z@example.com",
  "Ä@example.com",
  "用户@例子.公司",
  "b@x.test",
  "A@x.test",
  "a@X.test",
);
const newUsers: fc.Arbitrary<NewUser> = fc.record(
  { email: emails, name: names, role: fc.constantFrom(...roles) },
  { noNullPrototype: true },
);
const patches: fc.Arbitrary<Omit<UserPatch, "id">> = fc.record(
  { name: names, role: fc.constantFrom(...roles), status: fc.constantFrom(...userStatuses) },
  { requiredKeys: [], noNullPrototype: true },
);
/** Which of the users that there ever were, the workspace's first among them; beyond them it is nobody. */
const places = fc.nat({ max: 7 });

/** One request to change users. */
export type UserOperation =
  | { readonly kind: "create"; readonly user: NewUser }
  | { readonly kind: "update"; readonly place: number; readonly patch: Omit<UserPatch, "id"> }
  | { readonly kind: "remove"; readonly place: number };

export const userOperations: fc.Arbitrary<UserOperation> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("create" as const), user: newUsers }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant("update" as const), place: places, patch: patches }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("remove" as const), place: places }) },
);

type Refusal = "conflict" | "not_found";

/** The users that there must be. It foretells each refusal, and the workspace must answer alike. */
export class UserModel {
  readonly users: Map<string, UserResource>;
  readonly #workspace: UserWorkspace;
  readonly #ids: string[];

  constructor(workspace: UserWorkspace, first: UserResource) {
    this.#workspace = workspace;
    this.users = new Map([[first.id, first]]);
    this.#ids = [first.id];
  }

  /** Carries the operation out on workspace and model. */
  async run(operation: UserOperation): Promise<void> {
    const { caller, writer } = this.#workspace;
    if (operation.kind === "create") {
      const created = await this.#expecting(this.#refusalOfCreate(operation.user), () =>
        writer.create(caller, operation.user),
      );
      if (created) this.#put(created);
      return;
    }
    const id = this.#ids[operation.place] ?? "usr_nobody";
    if (operation.kind === "update") {
      const { patch } = operation;
      const updated = await this.#expecting(this.#refusalOfChange(id, patch), () =>
        writer.update(caller, { id, ...patch }),
      );
      if (updated) this.#put(updated);
    } else {
      const refusal = this.#refusalOfChange(id, { status: "inactive" });
      await this.#expecting(refusal, () => writer.remove(caller, id));
      if (!refusal) this.users.delete(id);
    }
  }

  #refusalOfCreate({ email }: NewUser): Refusal | undefined {
    const key = email.toLowerCase();
    return [...this.users.values()].some((user) => user.email.toLowerCase() === key) ? "conflict" : undefined;
  }

  #refusalOfChange(id: string, patch: Omit<UserPatch, "id">): Refusal | undefined {
    const user = this.users.get(id);
    if (!user) return "not_found";
    const others = [...this.users.values()].filter((other) => other.id !== id);
    const isLast = isActiveAdmin(user) && !others.some(isActiveAdmin);
    return isLast && !isActiveAdmin({ ...user, ...patch }) ? "conflict" : undefined;
  }

  async #expecting<Result>(
    refusal: Refusal | undefined,
    work: () => Promise<Result>,
  ): Promise<Result | undefined> {
    const [outcome] = await Promise.allSettled([work()]);
    const got = outcome.status === "rejected" ? outcome.reason.errorCode : undefined;
    if (got !== refusal) throw new Error(`It was answered with ${got}, not ${refusal}.`);
    return outcome.status === "fulfilled" ? outcome.value : undefined;
  }

  #put(user: UserResource): void {
    if (!this.#ids.includes(user.id)) this.#ids.push(user.id);
    this.users.set(user.id, user);
  }
}

function isActiveAdmin({ role, status }: Pick<UserResource, "role" | "status">): boolean {
  return role === "admin" && status === "active";
}

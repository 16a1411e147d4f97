import type { CallingOptions, Middleware, ServiceBroker } from "moleculer";
import type { Caller } from "../lib/caller.ts";
import type { ListResult } from "../lib/paging.ts";
import type { CallMeta } from "../mixins/action.ts";
import type { UserResource } from "../services/users/user.schema.ts";
import type { WorkspaceResource } from "../services/workspaces/workspace.schema.ts";
import type { Call } from "./command.ts";
import { UsageError } from "./command-line.ts";
import { findAction } from "./declared-action.ts";
import { everyPage } from "./every-page.ts";
import { table } from "./table.ts";

/** Workspaces that a question for one of them lists. */
const MAX_LISTED = 20;

type Next = (action: string, params?: unknown, options?: CallingOptions) => Promise<unknown>;

/**
 * Whoever sits at the console of this process. Actions that belong to a workspace run on behalf of a caller.
 * Nobody has shown a key there, so the caller is an admin of the workspace that the operator has chosen.
 * None of this reaches other processes: the gateway makes its callers from keys.
 */
export class Operator {
  #broker: ServiceBroker | undefined;
  #workspaceId: string | undefined;

  /** For the broker that the operator calls through. */
  get middleware(): Middleware {
    const named: Middleware = {
      name: "Operator",
      created: (broker: ServiceBroker) => {
        this.#broker = broker;
      },
    };
    // Moleculer's types take this hook for the promise that its result gives.
    return Object.assign(named, { call: (next: Next) => this.#callInWorkspace(next) });
  }

  /** Calls an action; in the given workspace or else the chosen one, where it acts in one. */
  readonly call: Call = async (action, params, workspaceId) => {
    if (workspaceId === undefined) return await this.#knownBroker.call(action, params);
    const meta: CallMeta = { caller: await this.#caller(workspaceId) };
    return await this.#knownBroker.call(action, params, { meta });
  };

  /**
   * Acts in this workspace from now on.
   * @throws UsageError where there is none with the id
   */
  async choose(workspaceId: string): Promise<WorkspaceResource> {
    const chosen = (await this.#workspaces()).find(({ id }) => id === workspaceId);
    if (!chosen) throw new UsageError("There is no workspace with this id; `workspaces list` lists them.");
    this.#workspaceId = workspaceId;
    return chosen;
  }

  #callInWorkspace(next: Next): Next {
    return async (action, params, options = {}) => {
      const isOwn = options.parentCtx === undefined && options.meta?.caller === undefined;
      if (!isOwn || !this.#isInWorkspace(action)) return await next(action, params, options);
      const meta: CallMeta = { ...options.meta, caller: await this.#caller(this.#workspaceId) };
      return await next(action, params, { ...options, meta });
    };
  }

  get #knownBroker(): ServiceBroker {
    if (!this.#broker) throw new Error("The operator's middleware is not in a broker yet.");
    return this.#broker;
  }

  /** Whether an action is done on somebody's behalf: not those for operators, nor the framework's own. */
  #isInWorkspace(name: string): boolean {
    const permission = findAction(this.#knownBroker, name)?.permission;
    return permission !== undefined && permission !== "operate";
  }

  async #caller(chosenId: string | undefined): Promise<Caller> {
    const workspaceId = chosenId ?? (await this.#onlyWorkspace());
    const seeker: Caller = { workspaceId, userId: "console", keyId: "console", role: "admin" };
    const meta: CallMeta = { caller: seeker };
    const oldestAdmin = { role: "admin", status: "active", sort: "id", order: "asc", per_page: 1 };
    const { items } = await this.#knownBroker.call<ListResult<UserResource>, object>(
      "users.list",
      oldestAdmin,
      { meta },
    );
    const [admin] = items;
    if (!admin) throw new UsageError(`There is no workspace ${workspaceId} with an active admin to act as.`);
    return { ...seeker, userId: admin.id };
  }

  async #onlyWorkspace(): Promise<string> {
    const [first, ...others] = await this.#workspaces();
    if (!first) throw new UsageError("There is no workspace yet; `workspaces create` makes one.");
    if (others.length > 0) throw new UsageError(whichOf([first, ...others]));
    return first.id;
  }

  #workspaces(): Promise<WorkspaceResource[]> {
    return everyPage<WorkspaceResource>(this.call, "workspaces.list", {});
  }
}

function whichOf(workspaces: readonly WorkspaceResource[]): string {
  const rows = workspaces.slice(0, MAX_LISTED).map(({ id, name }) => [`  ${id}`, name]);
  const rest = workspaces.length - rows.length;
  return [
    "In which workspace? `workspace <id>` chooses one, in the REPL; `--workspace <id>` does for one command.",
    ...table(rows),
    ...(rest > 0 ? [`  and ${rest} more: \`workspaces list\``] : []),
  ].join("\n");
}

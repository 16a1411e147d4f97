import type { Database } from "../../db/database.ts";
import { claimSetting } from "../../db/setting.repository.ts";
import { isoTime } from "../../lib/iso-time.ts";
import type { FirstStart } from "../../lib/startup-summary.ts";
import { isWorkingKey, provisionWorkspace } from "./provision.ts";
import type { WorkspaceRow } from "./workspace.entity.ts";
import { hasWorkspaces, listWorkspaces } from "./workspace.repository.ts";
import type {
  CreatedWorkspace,
  CreateWorkspaceParams,
  ListWorkspacesParams,
  WorkspaceResource,
} from "./workspace.schema.ts";

const DEFAULT_LIMIT = 100;

/** What a first start makes. The address is nobody's, so that no mail can go astray. */
const firstWorkspace = { name: "Default", email: "admin@localhost" } as const;

/** All workspaces, and how the first of them comes to be. */
export class Workspaces {
  readonly #database: Database;
  readonly #nowMs: () => number;

  constructor(database: Database, nowMs: () => number = Date.now) {
    this.#database = database;
    this.#nowMs = nowMs;
  }

  /**
   * Makes a workspace, its admin user and a key of theirs: all three or nothing.
   * @throws ServiceError `invalid_request` where `email` is no address
   */
  async create(params: CreateWorkspaceParams): Promise<CreatedWorkspace> {
    const nowMs = this.#nowMs();
    return await this.#database.transaction(async (transaction) => {
      // On an empty database a first start beside this one finds that it has nothing to do.
      await claimSetting(transaction, "workspaces.first", isoTime(nowMs));
      return await provisionWorkspace(transaction, params, nowMs);
    });
  }

  /**
   * Workspaces, the newest first.
   * @param filter `before`: the last id of a page leads to the next one
   */
  async list({ before, limit = DEFAULT_LIMIT }: ListWorkspacesParams): Promise<WorkspaceResource[]> {
    const rows = await listWorkspaces(this.#database.read, { before, limit });
    return rows.map(toResource);
  }

  /**
   * Makes the first workspace of a database that has none. Of several processes that try at once exactly one
   * does, and none returns before it is there.
   * @param chosenKey the admin's key; without it one is made
   * @returns what was made, or undefined where there was a workspace already
   */
  async provisionFirst(chosenKey: string | undefined): Promise<FirstStart | undefined> {
    if (await hasWorkspaces(this.#database.read)) return undefined;
    const nowMs = this.#nowMs();
    return await this.#database.transaction(async (transaction) => {
      if (!(await claimSetting(transaction, "workspaces.first", isoTime(nowMs)))) return undefined;
      const { workspace, key } = await provisionWorkspace(transaction, firstWorkspace, nowMs, chosenKey);
      return { workspaceId: workspace.id, key: chosenKey === undefined ? key.key : undefined };
    });
  }

  /** Whether a client that shows this key is let in. */
  async knowsKey(key: string): Promise<boolean> {
    return await isWorkingKey(this.#database.read, key);
  }
}

function toResource(row: WorkspaceRow): WorkspaceResource {
  return { id: row.id, name: row.name, created_at: isoTime(row.created_at) };
}

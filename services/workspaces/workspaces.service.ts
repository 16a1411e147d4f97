import type { Service, ServiceSchema, ServiceSettingSchema } from "moleculer";
import { loadConfig } from "../../lib/config.ts";
import type { FirstStart } from "../../lib/startup-summary.ts";
import { actionOf } from "../../mixins/action.ts";
import { databaseOf } from "../../mixins/database.middleware.ts";
import {
  type CreateWorkspaceParams,
  createWorkspaceSchema,
  type ListWorkspacesParams,
  listWorkspacesSchema,
} from "./workspace.schema.ts";
import { Workspaces } from "./workspaces.ts";

interface WorkspacesSettings extends ServiceSettingSchema {
  /** Whether a start on an empty database makes a workspace, a user and a key. */
  provisionFirst: boolean;
}

interface WorkspacesService extends Service<WorkspacesSettings> {
  workspaces: Workspaces;
  /** What this process's start made of an empty database: for whoever prints the key. */
  firstStart: FirstStart | undefined;
  bootstrapApiKey: string | undefined;
}

const action = actionOf<WorkspacesService>();

/** Workspaces, for operators: no HTTP route leads here. */
const workspacesService: ServiceSchema<WorkspacesSettings, object, object, WorkspacesService> = {
  name: "workspaces",
  settings: { provisionFirst: true },

  actions: {
    create: action<CreateWorkspaceParams>({
      permission: "operate",
      schema: createWorkspaceSchema,
      handler(ctx) {
        return this.workspaces.create(ctx.params);
      },
    }),

    list: action<ListWorkspacesParams>({
      permission: "operate",
      schema: listWorkspacesSchema,
      handler(ctx) {
        return this.workspaces.list(ctx.params);
      },
    }),
  },

  created() {
    this.bootstrapApiKey = loadConfig().access.bootstrapApiKey;
  },

  async started() {
    this.workspaces = new Workspaces(databaseOf(this.broker));
    if (!this.settings.provisionFirst) return;
    this.firstStart = await this.workspaces.provisionFirst(this.bootstrapApiKey);
    // A first start alone uses that key. An operator who gave another one later should not have to guess.
    if (this.bootstrapApiKey !== undefined && !(await this.workspaces.knowsKey(this.bootstrapApiKey))) {
      this.logger.warn(
        "BOOTSTRAP_API_KEY opens nothing: this database was set up with another key, or it was revoked.",
        "It counts at the first start only; `npm run admin -- keys create <user id>` makes a new key.",
      );
    }
  },
};

export default workspacesService;

import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Service, ServiceSchema } from "moleculer";
import ApiGateway, { type ApiSettingsSchema } from "moleculer-web";
import { type Config, loadConfig } from "../../lib/config.ts";
import { databaseOf } from "../../mixins/database.middleware.ts";
import type { FrontDoor } from "../../mixins/front-door.middleware.ts";
import { Authenticator } from "./authenticator.ts";
import { brokerBackend, keyLookUp } from "./backend.ts";
import { Cors } from "./cors.ts";
import { Readiness } from "./health.ts";
import { HttpServer } from "./http-server.ts";
import { describeListenError } from "./listen-error.ts";
import { Pipeline, type PipelineLog } from "./pipeline.ts";
import { RateLimiter } from "./rate-limiter.ts";
import { Router } from "./router.ts";
import { routes } from "./routes.ts";

interface GatewayService extends Service<ApiSettingsSchema>, FrontDoor {
  server: Server;
  http: HttpServer;
  port: number | undefined;
  httpHandler: (request: IncomingMessage, response: ServerResponse) => void;
  config: Config;
  authenticator: Authenticator;
  pipeline: Pipeline;
}

/**
 * Of moleculer-web the life of the server: it is made, listens and stops. How it handles requests is not
 * used, since it parses bodies before it knows whose they are, lets query and body overwrite each other, and
 * limits rates by a header that anybody can write. Nor are its actions and events, by which routes change
 * while it runs. It listens when the door opens, not when the service starts.
 */
const serverLife: Partial<ServiceSchema> = {
  methods: ApiGateway.methods,
  created: ApiGateway.created,
  stopped: ApiGateway.stopped,
};
const listen = [ApiGateway.started].flat();

/** The HTTP interface: all that knows paths, statuses, headers and envelopes. */
const gatewayService: ServiceSchema<ApiSettingsSchema, object, object, GatewayService> = {
  name: "gateway",
  mixins: [serverLife],
  settings: { server: true },

  events: {
    /** A key was revoked, or a user changed. */
    "keys.changed"() {
      this.authenticator.forget();
    },
  },

  methods: {
    createServer() {
      this.http = new HttpServer(this.httpHandler);
      this.server = this.http.server;
    },

    httpHandler(request: IncomingMessage, response: ServerResponse) {
      return this.pipeline.handle(request, response);
    },

    async open() {
      for (const handler of listen) await handler?.call(this);
      const address = this.server.address();
      if (typeof address === "object" && address !== null) this.port = address.port;
    },

    async drain() {
      const { shutdownTimeoutMs } = this.config.http;
      if (await this.http.drain(shutdownTimeoutMs)) return;
      this.logger.warn(`Requests that took longer than ${shutdownTimeoutMs} ms to finish were cut off.`);
    },
  },

  created() {
    this.config = loadConfig();
    const { http, access } = this.config;
    this.settings.port = http.port;
    this.settings.ip = http.host;
    // In place of moleculer-web's own, which prints a stack.
    this.server.removeAllListeners("error");
    this.server.on("error", (error) => {
      this.broker.fatal(describeListenError(error, http.host, http.port));
    });
    this.authenticator = new Authenticator({
      lookUp: keyLookUp(this.broker),
      bootstrapApiKey: access.bootstrapApiKey,
    });
    this.pipeline = new Pipeline({
      router: new Router(routes),
      authenticator: this.authenticator,
      rateLimiter: new RateLimiter({
        requests: access.rateLimitRequests,
        windowSeconds: access.rateLimitWindowSeconds,
      }),
      backend: brokerBackend(this.broker),
      readiness: new Readiness(() => askReadiness(this)),
      cors: new Cors(http.corsOrigins),
      log: logOf(this),
      closesAfter: (response) => this.http.closesAfter(response),
    });
  },
};

async function askReadiness({ broker, http }: GatewayService): Promise<void> {
  if (http.isDraining) throw new Error("The node is stopping.");
  await databaseOf(broker).ping();
}

function logOf({ logger, config }: GatewayService): PipelineLog {
  const isVerbose = config.node.logLevel === "debug" || config.node.logLevel === "trace";
  return {
    failed: (line, error) => logger.error(line, error),
    answered: isVerbose ? (line) => logger.debug(line) : undefined,
  };
}

export default gatewayService;

import type { IncomingMessage, ServerResponse } from "node:http";
import { type Caller, isAllowed, type Permission } from "../../lib/caller.ts";
import { errorStatuses, ServiceError, unavailable } from "../../lib/errors.ts";
import type { CallMeta } from "../../mixins/action.ts";
import type { Authenticator } from "./authenticator.ts";
import { ClientGone, hasBody, parseBody, readBody } from "./body.ts";
import type { Cors } from "./cors.ts";
import { renderEnvelope } from "./envelopes.ts";
import { renderError, toPublicError } from "./error-response.ts";
import { type Answer, type Exchange, send } from "./exchange.ts";
import type { Readiness } from "./health.ts";
import { idempotencyOf } from "./idempotency-key.ts";
import { paramsFromBody, paramsFromQuery, type QueryParams } from "./params.ts";
import { type RateLimiter, rateLimitHeaders } from "./rate-limiter.ts";
import { requestIdOf } from "./request-id.ts";
import { splitTarget } from "./request-target.ts";
import type { Match, Resource, Router } from "./router.ts";
import type { ActionRoute, ProbeRoute, Route } from "./routes.ts";

/** What an action declares about itself, on whichever node it runs. */
export interface ActionTraits {
  readonly permission: Permission | undefined;
  readonly queryParams: QueryParams;
}

/** The services behind the gateway. */
export interface Backend {
  /** Undefined where no node is known that has the action. */
  describe(action: string): ActionTraits | undefined;
  call(action: string, params: Record<string, unknown>, meta: CallMeta, requestId: string): Promise<unknown>;
}

export interface PipelineLog {
  /** An answer of 500 or more, with the error that led to it. */
  failed(line: string, error: unknown): void;
  /** One line for each request; undefined where nobody reads it. */
  readonly answered: ((line: string) => void) | undefined;
}

export interface PipelineParts {
  readonly router: Router<Route>;
  readonly authenticator: Authenticator;
  readonly rateLimiter: RateLimiter;
  readonly backend: Backend;
  readonly readiness: Readiness;
  readonly cors: Cors;
  readonly log: PipelineLog;
  /** Whether the connection of this response should close behind it. */
  readonly closesAfter: (response: ServerResponse) => boolean;
}

/**
 * What happens to a request, in the order in which the interface says that it is judged: path and method,
 * key, rate, role, size and content type, body and parameters; and then the action's own judgement.
 */
export class Pipeline {
  readonly #parts: PipelineParts;

  constructor(parts: PipelineParts) {
    this.#parts = parts;
  }

  /** Answers a request. Never throws. */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const exchange: Exchange = {
      request,
      response,
      requestId: requestIdOf(request.headers["x-request-id"]),
      startedAtMs: performance.now(),
      headers: [...this.#parts.cors.answerHeaders(request.headers.origin)],
    };
    try {
      this.#answer(exchange, await this.#judge(exchange));
    } catch (error) {
      this.#refuse(exchange, error);
    }
  }

  async #judge(exchange: Exchange): Promise<Answer> {
    const { request, requestId } = exchange;
    demandHost(request);
    const { path, query } = splitTarget(request.url ?? "");

    const { resource, params: pathParams } = this.#resolve(path);
    if (this.#parts.cors.isOn && isPreflight(request)) return this.#preflight(request, resource);
    const route = routeOf(resource, request.method ?? "");
    if ("probe" in route) return await this.#probe(route);

    const known = this.#parts.authenticator.authenticate(request, requestId);
    const caller = known instanceof Promise ? await known : known;
    this.#spend(exchange, caller);
    const { permission, queryParams } = this.#describe(route);
    demandPermission(caller, permission);

    let params: Record<string, unknown>;
    let content: string | Uint8Array = query;
    if (route.maxBodyBytes === undefined) {
      if (hasBody(request.headers)) request.resume();
      params = paramsFromQuery(query, queryParams, pathParams);
    } else {
      content = await readBody(request, exchange.response, route.maxBodyBytes);
      params = paramsFromBody(parseBody(content), query, pathParams);
    }
    const meta: CallMeta = { caller };
    if (route.method === "POST") {
      meta.idempotency = idempotencyOf(request.headers, { path: route.path, pathParams, content });
    }

    const result = await this.#parts.backend.call(route.action, params, meta, requestId);
    return {
      status: route.status,
      body: renderEnvelope(route.envelope, result),
      headers: this.#location(route, result),
    };
  }

  #resolve(path: string): Match<Route> {
    const match = this.#parts.router.find(path);
    if (!match) throw new ServiceError("not_found", "There is nothing under this path.");
    return match;
  }

  #preflight({ headers }: IncomingMessage, { allow }: Resource<Route>): Answer {
    return { status: 204, headers: this.#parts.cors.preflightHeaders(headers.origin, allow) };
  }

  async #probe({ probe }: ProbeRoute): Promise<Answer> {
    if (probe === "ready") await this.#parts.readiness.check();
    return { status: 200, body: '{"status":"ok"}' };
  }

  #spend(exchange: Exchange, { keyId }: Caller): void {
    const { rateLimiter } = this.#parts;
    const standing = rateLimiter.spend(keyId);
    if (!standing) return;
    exchange.headers.push(...rateLimitHeaders(rateLimiter.limit, standing));
    if (standing.isAllowed) return;
    const { requests, windowSeconds } = rateLimiter.limit;
    throw new ServiceError(
      "rate_limited",
      `This key has used its ${requests} requests in ${windowSeconds} seconds.`,
      { retryAfterSeconds: standing.resetSeconds },
    );
  }

  #describe({ action }: ActionRoute): ActionTraits {
    const traits = this.#parts.backend.describe(action);
    if (!traits) throw unavailable(new Error(`No node offers ${action}.`));
    return traits;
  }

  /** Where what was created can be fetched, if it can. */
  #location(route: ActionRoute, result: unknown): string[] {
    if (route.status !== 201 || !hasId(result)) return [];
    const location = `${route.path}/${result.id}`;
    return this.#parts.router.find(location)?.resource.byMethod.has("GET") ? ["Location", location] : [];
  }

  #answer(exchange: Exchange, answer: Answer): void {
    const { request, response, requestId, startedAtMs } = exchange;
    send(exchange, answer, this.#parts.closesAfter(response));
    const { answered } = this.#parts.log;
    if (!answered) return;
    const durationMs = (performance.now() - startedAtMs).toFixed(1);
    answered(`${request.method} ${request.url} ${answer.status} ${durationMs} ms, request ${requestId}`);
  }

  #refuse(exchange: Exchange, thrown: unknown): void {
    const { request, response, requestId } = exchange;
    if (thrown instanceof ClientGone) return;
    const error = toPublicError(thrown);
    const status = errorStatuses[error.errorCode];
    if (status >= 500) {
      this.#parts.log.failed(
        `${request.method} ${request.url} ${status}, request ${requestId}:`,
        error.errorCode === "unavailable" ? String(error.cause ?? error.message) : (error.cause ?? error),
      );
    }
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const body = renderError(error, requestId);
    this.#answer(exchange, { status, body, headers: refusalHeaders(error) });
  }
}

/** HTTP/1.1 requires it. Node would refuse without a body, so it is told to leave that to us. */
function demandHost({ headers, httpVersion }: IncomingMessage): void {
  if (headers.host === undefined && httpVersion === "1.1") {
    throw new ServiceError("invalid_request", "The Host header is missing.");
  }
}

function isPreflight({ method, headers }: IncomingMessage): boolean {
  return (
    method === "OPTIONS" &&
    headers.origin !== undefined &&
    headers["access-control-request-method"] !== undefined
  );
}

function routeOf({ byMethod, allow }: Resource<Route>, method: string): Route {
  const route = byMethod.get(method);
  if (!route) {
    throw new ServiceError("method_not_allowed", `This path knows ${allow} only.`, { allow });
  }
  return route;
}

/** An action that declares no permission is open to nobody. */
function demandPermission({ role }: Caller, permission: Permission | undefined): void {
  if (permission === undefined || !isAllowed(role, permission)) {
    throw new ServiceError("forbidden", `The role ${role} does not allow this.`);
  }
}

function hasId(value: unknown): value is { id: string } {
  return typeof value === "object" && value !== null && "id" in value && typeof value.id === "string";
}

/** What an error says to HTTP beside its body. */
function refusalHeaders(error: ServiceError): string[] {
  const headers: string[] = [];
  if (error.errorCode === "unauthorized") headers.push("WWW-Authenticate", "Bearer");
  if (error.allow !== undefined) headers.push("Allow", error.allow);
  if (error.retryAfterSeconds !== undefined) headers.push("Retry-After", String(error.retryAfterSeconds));
  return headers;
}

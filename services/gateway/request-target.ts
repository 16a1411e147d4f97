export interface RequestTarget {
  /** Still percent-encoded. */
  readonly path: string;
  /** What follows the question mark, still percent-encoded; empty without one. */
  readonly query: string;
}

/** Scheme and host of a target in absolute form, which proxies send. */
const origin = /^https?:\/\/[^/?#]*/i;

/** Takes apart what stands behind the method in a request's first line. */
export function splitTarget(target: string): RequestTarget {
  const local = target.startsWith("/") ? target : target.replace(origin, "");
  const mark = local.indexOf("?");
  return mark === -1
    ? { path: local, query: "" }
    : { path: local.slice(0, mark), query: local.slice(mark + 1) };
}

/** What a router is made of: a method and a path whose `:name` segments are parameters. */
export interface Routable {
  readonly method: string;
  readonly path: string;
}

export type PathParams = Readonly<Record<string, string>>;

/** All that a path knows. */
export interface Resource<Entry extends Routable> {
  readonly byMethod: ReadonlyMap<string, Entry>;
  /** The methods in alphabetical order, as in `Allow`. */
  readonly allow: string;
}

export interface Match<Entry extends Routable> {
  readonly resource: Resource<Entry>;
  readonly params: PathParams;
}

interface Branch<Entry extends Routable> {
  readonly children: Map<string, Branch<Entry>>;
  parameter: { readonly name: string; readonly branch: Branch<Entry> } | undefined;
  readonly byMethod: Map<string, Entry>;
  resource: Resource<Entry> | undefined;
}

const noParams: PathParams = {};

/**
 * Finds what a path stands for, segment by segment. A written-out segment wins over a parameter. Paths are
 * exact: case counts, and so does a slash at the end. GET answers HEAD too.
 */
export class Router<Entry extends Routable> {
  readonly #root: Branch<Entry> = emptyBranch();

  /** @throws Error where two entries have the same method and path, or name one parameter differently */
  constructor(entries: readonly Entry[]) {
    for (const entry of entries) this.#add(entry);
  }

  /** @param path still percent-encoded; parameters are decoded, and malformed encoding finds nothing */
  find(path: string): Match<Entry> | undefined {
    if (!path.startsWith("/")) return undefined;
    let branch = this.#root;
    let params = noParams;
    for (let start = 1, end = 0; end !== -1; start = end + 1) {
      end = path.indexOf("/", start);
      const segment = end === -1 ? path.slice(start) : path.slice(start, end);
      const child = branch.children.get(segment);
      if (child) {
        branch = child;
        continue;
      }
      const value = decodeSegment(segment);
      if (!branch.parameter || !value) return undefined;
      params = { ...params, [branch.parameter.name]: value };
      branch = branch.parameter.branch;
    }
    return branch.resource && { resource: branch.resource, params };
  }

  #add(entry: Entry): void {
    const branch = entry.path
      .slice(1)
      .split("/")
      .reduce(grow<Entry>, this.#root);
    if (branch.byMethod.has(entry.method)) throw new Error(`Two routes for ${entry.method} ${entry.path}`);
    branch.byMethod.set(entry.method, entry);
    if (entry.method === "GET") branch.byMethod.set("HEAD", entry);
    branch.resource = { byMethod: branch.byMethod, allow: [...branch.byMethod.keys()].sort().join(", ") };
  }
}

function emptyBranch<Entry extends Routable>(): Branch<Entry> {
  return { children: new Map(), parameter: undefined, byMethod: new Map(), resource: undefined };
}

/** The branch that a segment leads to, made where it is new. */
function grow<Entry extends Routable>(branch: Branch<Entry>, segment: string): Branch<Entry> {
  if (segment.startsWith(":")) {
    const name = segment.slice(1);
    branch.parameter ??= { name, branch: emptyBranch() };
    if (branch.parameter.name !== name) {
      throw new Error(`One path parameter is called both ${branch.parameter.name} and ${name}`);
    }
    return branch.parameter.branch;
  }
  const child = branch.children.get(segment) ?? emptyBranch<Entry>();
  branch.children.set(segment, child);
  return child;
}

function decodeSegment(segment: string): string | undefined {
  if (!segment.includes("%")) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

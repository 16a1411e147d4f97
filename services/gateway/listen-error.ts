const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: "is in use: set PORT to another one, or stop what uses it",
  EADDRNOTAVAIL: "is not an address of this host: set HOST to one that is",
  EACCES: "needs rights that this process does not have: set PORT to 1024 or more",
  ENOTFOUND: "is no name that can be resolved: set HOST to an address",
};

/** A sentence that tells the operator why the server cannot listen. */
export function describeListenError(error: NodeJS.ErrnoException, host: string, port: number): string {
  return `The gateway cannot listen: ${host}:${port} ${reasons[error.code ?? ""] ?? error.message}.`;
}

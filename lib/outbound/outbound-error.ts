/**
 * Why a request to an address that a user set came to nothing, by the stage at which it did:
 *
 * - `url`: the address itself cannot be used;
 * - `dns`: its host name was not resolved;
 * - `blocked`: it leads where no request may go;
 * - `refused`: no connection, or one that was closed before the answer had come whole;
 * - `tls`: the handshake failed, or the certificate is not trusted;
 * - `protocol`: what came is no HTTP answer, or one whose headers are too large;
 * - `timeout`: the deadline ended before the answer did;
 * - `aborted`: the caller wanted it no more.
 */
export type OutboundReason =
  | "url"
  | "dns"
  | "blocked"
  | "refused"
  | "tls"
  | "protocol"
  | "timeout"
  | "aborted";

/**
 * A request that brought no answer. Its message may be shown to who set the address: half a sentence about the
 * receiver, as in "its certificate has expired", without an address or any other detail of the network here.
 * Its cause is for the log.
 */
export class OutboundError extends Error {
  readonly reason: OutboundReason;

  constructor(reason: OutboundReason, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "OutboundError";
    this.reason = reason;
  }
}

import { isAxiosError } from "axios";
import type { Deadline } from "./deadline.ts";
import type { Progress, Stage } from "./exchange.ts";
import { OutboundError } from "./outbound-error.ts";

const untimely: Readonly<Record<Stage, string>> = {
  resolve: "its name was not resolved",
  connect: "it did not accept a connection",
  handshake: "its TLS handshake did not end",
  wait: "it did not answer",
  read: "its answer did not end",
};

const notTrusted = "its certificate is not trusted";

const certificateFaults: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: `${notTrusted} (self-signed)`,
  SELF_SIGNED_CERT_IN_CHAIN: `${notTrusted} (its authority is not known)`,
  UNABLE_TO_GET_ISSUER_CERT: `${notTrusted} (its issuer is not known, or the certificate between is missing)`,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: `${notTrusted} (its issuer is not known, or the certificate between is missing)`,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: `${notTrusted} (its issuer is not known, or the certificate between is missing)`,
  CERT_HAS_EXPIRED: "its certificate has expired",
  CERT_NOT_YET_VALID: "its certificate is not valid yet",
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another name",
};

const closed: Readonly<Record<Stage, string>> = {
  resolve: "it closed the connection",
  connect: "it closed the connection",
  handshake: "it closed the connection during the TLS handshake",
  wait: "it closed the connection without an answer",
  read: "it closed the connection before its answer ended",
};

const closingCodes = new Set(["ECONNRESET", "EPIPE", "ECONNABORTED"]);

/** Whether the request met a connection that the other side had given up, and so is worth a fresh one. */
export function isStaleConnection(error: unknown, { isReused, hasAnswerBytes }: Progress): boolean {
  return isReused && !hasAnswerBytes && closingCodes.has(codeOf(beneath(error)));
}

/** What a failure means to who set the address. Faults of the program come back as they are. */
export function explainFailure(thrown: unknown, progress: Progress, deadline: Deadline): unknown {
  if (deadline.end === "aborted") return new OutboundError("aborted", "the request was cancelled");
  if (deadline.end === "timeout") {
    const within = `within ${seconds(deadline.timeoutMs)}`;
    return new OutboundError("timeout", `${untimely[progress.stage]} ${within}`);
  }
  const error = beneath(thrown);
  if (error instanceof OutboundError) return error;
  const code = codeOf(error);
  if (code === "") return error;
  const [reason, message] = meaning(code, progress.stage);
  return new OutboundError(reason, message, error);
}

function meaning(code: string, stage: Stage): ["tls" | "refused" | "protocol", string] {
  const certificateFault = certificateFaults[code];
  if (certificateFault) return ["tls", certificateFault];
  if (stage === "handshake") {
    return ["tls", closingCodes.has(code) ? closed.handshake : "its TLS handshake failed"];
  }
  if (code === "HPE_HEADER_OVERFLOW") return ["protocol", "the headers of its answer are too large"];
  if (code.startsWith("HPE_")) return ["protocol", "its answer is not valid HTTP"];
  if (code === "ECONNREFUSED") return ["refused", "it refused the connection"];
  if (closingCodes.has(code)) return ["refused", closed[stage]];
  return ["refused", stage === "connect" ? "it cannot be reached" : "the connection to it broke"];
}

/** What Axios wraps: its own errors carry the request, with headers that no log should hold. */
function beneath(error: unknown): unknown {
  if (!isAxiosError(error)) return error;
  return error.cause ?? Object.assign(new Error(error.message), { code: error.code });
}

function codeOf(error: unknown): string {
  const code = typeof error === "object" && error && "code" in error ? error.code : undefined;
  return typeof code === "string" && !code.startsWith("ERR_INVALID_") ? code : "";
}

function seconds(ms: number): string {
  return ms === 1000 ? "1 second" : `${ms / 1000} seconds`;
}

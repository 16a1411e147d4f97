import { maxHeaderSize, STATUS_CODES } from "node:http";
import { renderErrorBody } from "./error-response.ts";
import { requestIdOf } from "./request-id.ts";

/** What is wrong with bytes that the HTTP parser could not make a request of. */
export interface Malformed {
  readonly status: number;
  readonly message: string;
}

/** Reads the error that Node's parser gives. */
export function describeMalformed(code: string | undefined): Malformed {
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return { status: 431, message: `The headers must not be larger than ${maxHeaderSize / 1024} KiB.` };
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return { status: 400, message: "The request did not arrive in time." };
    default:
      return { status: 400, message: "This is no valid HTTP/1.1 request." };
  }
}

/** An answer as it goes over the wire, for where there is no response object to write it to. */
export function rawRefusal({ status, message }: Malformed, givenRequestId?: string | string[]): string {
  const requestId = requestIdOf(givenRequestId);
  const body = renderErrorBody("invalid_request", message, requestId);
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "Content-Type: application/json; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Cache-Control: no-store",
    "X-Content-Type-Options: nosniff",
    `X-Request-Id: ${requestId}`,
    "Connection: close",
    "",
    body,
  ].join("\r\n");
}

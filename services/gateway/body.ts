import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { ServiceError } from "../../lib/errors.ts";
import { isMembers } from "../../lib/members.ts";
import { parseOrdered } from "../../lib/ordered-json.ts";
import { measureBody } from "./body-shape.ts";

/** The client went away before its request was complete: there is nobody to answer. */
export class ClientGone extends Error {}

/** Deeper than any body that a schema allows, and far from what would exhaust the stack further on. */
const MAX_DEPTH = 32;
/** More than any valid body has: a thousand records with all that they may have come to some 155,000. */
const MAX_VALUES = 250_000;
/** A byte order mark is passed over, as JSON's standard allows. */
const utf8 = new TextDecoder("utf-8", { fatal: true });
const countFormat = new Intl.NumberFormat("en");

/**
 * Reads a request's body, having judged what its headers say of it.
 * @param maxBytes more than that is refused, and not kept in memory
 * @returns the bytes; none where there is no body
 * @throws ServiceError `payload_too_large` or `unsupported_media_type`; ClientGone
 */
export async function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  maxBytes: number,
): Promise<Buffer> {
  const { headers } = request;
  if (announcedBytes(headers) > maxBytes) throw tooLarge(maxBytes);
  if (!hasBody(headers)) return Buffer.alloc(0);
  if (!isJson(headers)) throw wrongType();
  // Who asked whether to send the body at all is told to only now that it will be read.
  if (headers.expect?.toLowerCase() === "100-continue") response.writeContinue();
  return await collect(request, maxBytes);
}

/** Whether a body follows the headers. */
export function hasBody(headers: IncomingHttpHeaders): boolean {
  return headers["transfer-encoding"] !== undefined || announcedBytes(headers) > 0;
}

/**
 * The members of a JSON object.
 * @throws ServiceError `invalid_json` or, where there is nothing, or no object that could be valid,
 *   `invalid_request`
 */
export function parseBody(bytes: Uint8Array): Record<string, unknown> {
  if (bytes.length === 0) throw invalidBody("A JSON object is required as the body.");
  const { values, depth } = measureBody(bytes);
  if (values > MAX_VALUES) {
    throw invalidBody(`The body must have at most ${countFormat.format(MAX_VALUES)} members and items.`);
  }
  const value = parseJson(bytes);
  if (!isMembers(value)) throw invalidBody("The body must be a JSON object.");
  if (depth > MAX_DEPTH) throw invalidBody(`The body must not be nested deeper than ${MAX_DEPTH} levels.`);
  return value;
}

function parseJson(bytes: Uint8Array): unknown {
  const text = decodeText(bytes);
  try {
    return parseOrdered(text);
  } catch {
    throw invalidJson("The body is no valid JSON.");
  }
}

function decodeText(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw invalidJson("The body is no valid UTF-8.");
  }
}

function collect(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const keep = (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBytes) {
        chunks.push(chunk);
        return;
      }
      request.off("data", keep);
      chunks.length = 0;
      reject(tooLarge(maxBytes));
    };
    const giveUp = () => reject(new ClientGone("The client left in the middle of its request."));
    request.on("data", keep);
    request.once("end", () => resolve(Buffer.concat(chunks, size)));
    request.once("error", giveUp);
    request.once("close", giveUp);
  });
}

function announcedBytes(headers: IncomingHttpHeaders): number {
  return Number(headers["content-length"] ?? 0);
}

/** JSON in UTF-8, not compressed. */
function isJson(headers: IncomingHttpHeaders): boolean {
  const encoding = headers["content-encoding"];
  if (encoding !== undefined && encoding.toLowerCase() !== "identity") return false;
  const type = headers["content-type"];
  return type === "application/json" || (type !== undefined && isJsonType(type));
}

function isJsonType(type: string): boolean {
  const [mediaType = "", ...parameters] = type.toLowerCase().split(";");
  return mediaType.trim() === "application/json" && parameters.every(isNoForeignCharset);
}

function isNoForeignCharset(parameter: string): boolean {
  const [name = "", value = ""] = parameter.split("=");
  if (name.trim() !== "charset") return true;
  const charset = value.trim().replaceAll('"', "");
  return charset === "utf-8" || charset === "utf8";
}

function tooLarge(maxBytes: number): ServiceError {
  const limit = `${maxBytes / 1024 ** 2} MiB (${countFormat.format(maxBytes)} bytes)`;
  return new ServiceError("payload_too_large", `The body must not be larger than ${limit}.`);
}

function wrongType(): ServiceError {
  return new ServiceError(
    "unsupported_media_type",
    "The body must be JSON in UTF-8, uncompressed, with Content-Type: application/json",
  );
}

function invalidBody(message: string): ServiceError {
  return new ServiceError("invalid_request", message);
}

function invalidJson(message: string): ServiceError {
  return new ServiceError("invalid_json", message);
}

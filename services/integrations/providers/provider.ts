import { eventNames } from "../../../lib/event-names.ts";
import type { Schema } from "../../../lib/validator.ts";

/** A third party that a workspace can be connected to. */
export interface Provider {
  readonly type: string;
  /** As it is shown to people. */
  readonly name: string;
  readonly kind: "chat" | "automation" | "code_hosting" | "cloud_drive";
  /** With OAuth a connection waits until it is authorized; with anything else it works at once. */
  readonly auth: "token" | "config" | "oauth";
  /** JSON Schema of its config: an object's, made by {@link configSchema}. */
  readonly config: ConfigSchema;
  /** The keys of its config that are sealed and never shown. */
  readonly credentials: readonly string[];
}

export interface ConfigSchema extends Schema {
  readonly type: "object";
  readonly additionalProperties: false;
  readonly required: readonly string[];
  readonly properties: Readonly<Record<string, Schema>>;
}

/** The schema of a config that has these keys and no others. What is wrong in it is 422, but for limits. */
export function configSchema({
  required,
  optional,
}: {
  required: Readonly<Record<string, Schema>>;
  optional: Readonly<Record<string, Schema>>;
}): ConfigSchema {
  return {
    type: "object",
    additionalProperties: false,
    required: Object.keys(required),
    properties: { ...required, ...optional },
    semantic: ["required", "additionalProperties"],
  };
}

/** A text of at most so many characters. */
export function text(maxLength: number): Schema {
  return { type: "string", maxLength, notBlank: true, format: "storable", semantic: ["type", "notBlank"] };
}

/** A credential that travels in a header: nothing but visible ASCII characters. */
export const token: Schema = {
  type: "string",
  maxLength: 1_024,
  notBlank: true,
  pattern: "^[!-~]*$",
  format: "storable",
  semantic: ["type", "notBlank", "pattern"],
};

/** An address that is called. */
export const address: Schema = {
  type: "string",
  maxLength: 2_048,
  allOf: [{ format: "storable" }, { format: "httpsUrl", semantic: ["format"] }],
  semantic: ["type"],
};

/** The events that the provider is told of. */
export const events: Schema = {
  type: "array",
  maxItems: 20,
  items: { type: "string", enum: eventNames, semantic: ["type", "enum"] },
  semantic: ["type"],
};

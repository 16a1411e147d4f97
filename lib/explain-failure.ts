import { ConfigError } from "./config.ts";
import { ServiceError } from "./errors.ts";

/** A sentence for what an operator or the surroundings did wrong; the whole stack for a defect. */
export function explainFailure(error: unknown): string {
  if (error instanceof ServiceError && error.errorCode === "unavailable") {
    return `The database does not answer: ${sentence(error.cause)}`;
  }
  if (error instanceof ConfigError || error instanceof ServiceError) return error.message;
  const isOfSystem = error instanceof Error && "code" in error;
  return isOfSystem ? sentence(error) : String(error instanceof Error ? error.stack : error);
}

function sentence(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // A refused connection to a name with several addresses has a code and no message.
  return error.message || ("code" in error ? String(error.code) : error.name);
}

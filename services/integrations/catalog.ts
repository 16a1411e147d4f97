import * as all from "./providers/index.ts";
import type { Provider } from "./providers/provider.ts";

/** Everything that a workspace can be connected to, by the names of the providers. */
export const providers: readonly Provider[] = Object.values(all);

const byType = new Map(providers.map((provider) => [provider.type, provider]));

/** The provider of that type; undefined where this version of the program has none. */
export function findProvider(type: string): Provider | undefined {
  return byType.get(type);
}

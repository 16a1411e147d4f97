const KEEPS_OUT = /config|secret|token|hook_url|webhook_url/i;

/** Takes a line that may hold credentials out of the console's history, which is a file; the newest is first. */
export function forgetSecrets(history: string[]): void {
  if (KEEPS_OUT.test(history[0] ?? "")) history.shift();
}

import { createServer } from "node:net";

/**
 * A TCP port of 127.0.0.1 that nothing listens on. It is bound and released at once, so another process may
 * still take it: bind it soon.
 */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => {
        if (address === null || typeof address === "string") reject(new Error("The probe has no TCP port."));
        else resolve(address.port);
      });
    });
  });
}

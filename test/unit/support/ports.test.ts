import { once } from "node:events";
import { createServer } from "node:net";
import { expect, test } from "@jest/globals";
import { freePort } from "../../support/ports.ts";

test("a free port can be listened on at once", async () => {
  const port = await freePort();
  const server = createServer().listen(port, "127.0.0.1");
  await once(server, "listening");
  expect(server.address()).toMatchObject({ address: "127.0.0.1", port });
  server.close();
  await once(server, "close");
});

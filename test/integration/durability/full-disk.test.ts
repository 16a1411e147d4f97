import { execFileSync } from "node:child_process";
import { mkdtemp, rm, rmdir, statfs, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { allWritersServed, answered, probe } from "../../support/outage.ts";
import { withChance } from "../../support/random.ts";
import { startService } from "../../support/service-on.ts";
import { waitFor } from "../../support/wait-for.ts";
import { Workload } from "../../support/workload.ts";

const DISK = "24m";
/** Room left when the ballast is in. */
const ROOM_BYTES = 2 * 1024 ** 2;

/** A small disk of the test's own takes a right that only root has, and not in every container. */
function canMount(): boolean {
  try {
    execFileSync("unshare", ["--mount", "mount", "-t", "tmpfs", "tmpfs", "/tmp"], { stdio: "ignore" });
    return true;
  } catch {
    process.stderr.write("Skipped the full disk: mounting a small one takes root's rights.\n");
    return false;
  }
}

(canMount() ? describe : describe.skip)("a disk that is full", () => {
  let dataDir: string;

  beforeAll(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), "workspace-data-full-"));
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${DISK}`, "tmpfs", dataDir]);
  });

  afterAll(async () => {
    execFileSync("umount", [dataDir]);
    await rmdir(dataDir);
  });

  test(
    "fails writes in the envelope, loses none that it answered, and takes more when there is room",
    withChance(async (random) => {
      const storage = { dataDir, databaseUrl: undefined };
      const service = await startService(storage, { LOG_LEVEL: "fatal" });
      const workload = await Workload.begin(service, { lanes: 8, random, excuses: [503] });
      const until = new AbortController();
      const load = workload.run(service, until.signal);
      await waitFor(() => workload.acknowledged > 50, { what: "the load to get going" });

      const { bsize, bavail } = await statfs(dataDir);
      const ballast = path.join(dataDir, "ballast");
      // The service writes too: what it took meanwhile cannot be taken again, and the disk is full all the same.
      await writeFile(ballast, Buffer.alloc(bsize * bavail - ROOM_BYTES, 1)).catch((error) => {
        expect(error).toMatchObject({ code: "ENOSPC" });
      });
      await waitFor(() => workload.lanes.every(({ excused }) => excused > 0), {
        what: "every writer to be told that it failed",
        timeoutMs: 20_000,
      });
      expect((await probe(service, "/livez")).status).toBe(200);
      await answered(service, "/v1/data", 200);
      await rm(ballast);
      await allWritersServed(workload);

      until.abort();
      await load;
      expect(await service.stop()).toBe(0);
      const again = await startService(storage);
      await workload.expectIntact(again, storage);
      expect(await again.stop()).toBe(0);
    }),
    60_000,
  );
});

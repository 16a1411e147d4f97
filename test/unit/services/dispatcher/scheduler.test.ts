import { afterEach, describe, expect, test } from "@jest/globals";
import { type Lane, lanes } from "../../../../lib/delivery-states.ts";
import {
  type AttemptOutcome,
  type ChannelSender,
  GONE,
  type OutgoingDelivery,
} from "../../../../services/dispatcher/channels/channel.ts";
import type { Claim, NextStep } from "../../../../services/dispatcher/claim.ts";
import type { Channel } from "../../../../services/dispatcher/delivery.entity.ts";
import { Scheduler } from "../../../../services/dispatcher/scheduler.ts";
import { waitFor } from "../../../support/wait-for.ts";

const success: AttemptOutcome = {
  isSuccess: true,
  statusCode: 200,
  error: null,
  response: "",
  durationMs: 1,
};

interface Waiting {
  readonly targetId: string;
  readonly lane: Lane;
  readonly channel: Channel;
}

interface Sending {
  readonly delivery: OutgoingDelivery;
  readonly signal: AbortSignal;
  /** Ends the attempt. */
  readonly end: (outcome: AttemptOutcome | typeof GONE) => void;
  readonly fail: (error: unknown) => void;
}

/** A scheduler over a queue in memory, whose attempts end when the test says so. */
function stage() {
  const waiting: Waiting[] = [];
  const sending: Sending[] = [];
  const recorded: string[] = [];
  const cancelled: string[] = [];
  const released: string[] = [];
  const errors: string[] = [];
  const timers: { ms: number; onEnd: () => void }[] = [];
  let fault: Error | undefined;
  let next: NextStep = { kind: "succeeded" };
  let claims = 0;
  const sender: ChannelSender = {
    send: (delivery, signal) => {
      const { promise, resolve, reject } = Promise.withResolvers<AttemptOutcome | typeof GONE>();
      signal.addEventListener("abort", () => reject(signal.reason));
      sending.push({ delivery, signal, end: resolve, fail: reject });
      return promise;
    },
    close: () => {},
  };
  const claimOf = ({ targetId, lane, channel }: Waiting): Claim => {
    claims += 1;
    const deliveryId = `dlv_${claims}`;
    const common = { workspaceId: "ws_1", eventId: "evt_1", event: "record.created" } as const;
    return { ...common, deliveryId, claimId: "c", targetId, lane, channel, attemptCount: lane };
  };
  const scheduler = new Scheduler({
    queue: {
      dueTargets: async () => {
        if (fault) throw fault;
        return [...new Map(waiting.map((each) => [`${each.targetId} ${each.lane}`, each])).values()];
      },
      claim: async (targetId, lane, count) => {
        const mine = waiting.filter((each) => each.targetId === targetId && each.lane === lane);
        const taken = mine.slice(0, count);
        for (const each of taken) waiting.splice(waiting.indexOf(each), 1);
        return taken.map(claimOf);
      },
      record: async ({ deliveryId }) => recorded.push(deliveryId) > 0,
      cancel: async ({ deliveryId }) => cancelled.push(deliveryId) > 0,
      release: async (given) => {
        released.push(...given.map(({ deliveryId }) => deliveryId));
      },
    },
    fanOut: async () => 0,
    findPayloads: async () => new Map([["evt_1", "{}"]]),
    senders: new Map([["webhook", sender]]),
    nextStep: () => next,
    startTimer: (ms, onEnd) => {
      const timer = { ms, onEnd };
      timers.push(timer);
      return () => {
        if (timers.includes(timer)) timers.splice(timers.indexOf(timer), 1);
      };
    },
    onAttempt: () => {},
    onError: (message) => errors.push(message),
    limits: { perTarget: 4, retriesPerTarget: 2, inAll: 10 },
  });
  const add = (
    targetId: string,
    count: number,
    { lane = lanes.first, channel = "webhook" }: Partial<Waiting> = {},
  ) => waiting.push(...Array.from({ length: count }, () => ({ targetId, lane, channel })));
  const to = (targetId: string) => sending.filter(({ delivery }) => delivery.targetId === targetId);
  return {
    ...{ scheduler, waiting, sending, recorded, cancelled, released, errors, timers, add, to },
    setFault: (error: Error | undefined) => {
      fault = error;
    },
    setNext: (step: NextStep) => {
      next = step;
    },
    fire: (ms: number) => {
      const timer = timers.find((each) => each.ms === ms);
      if (!timer) throw new Error(`No timer of ${ms} ms runs.`);
      timers.splice(timers.indexOf(timer), 1);
      timer.onEnd();
    },
  };
}

let stages: ReturnType<typeof stage>[] = [];
const newStage = () => {
  const made = stage();
  stages.push(made);
  return made;
};

afterEach(async () => {
  for (const { scheduler, sending } of stages) {
    const stopped = scheduler.stop(0);
    for (const { end } of sending) end(success);
    await stopped;
  }
  stages = [];
});

/** All that can happen by itself has happened. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe("the scheduler", () => {
  test("has no more in flight to a target than it may, and goes on as places get free", async () => {
    const { scheduler, add, sending, waiting, recorded } = newStage();
    add("a", 10);
    scheduler.wake();
    await settled();
    expect([sending.length, waiting.length]).toEqual([4, 6]);
    sending[0]?.end(success);
    await settled();
    expect([sending.length, recorded]).toEqual([5, ["dlv_1"]]);
  });

  test("keeps places for first attempts, however many retries wait", async () => {
    const { scheduler, add, to } = newStage();
    add("a", 10, { lane: lanes.retry });
    scheduler.wake();
    await settled();
    expect(to("a").map(({ delivery }) => delivery.attempt)).toEqual([2, 2]);
    add("a", 10);
    scheduler.wake();
    await settled();
    expect(to("a").map(({ delivery }) => delivery.attempt)).toEqual([2, 2, 1, 1]);
  });

  test("gives each target its share where places are rare, and then one turn after the other", async () => {
    const { scheduler, add, to, sending } = newStage();
    for (const targetId of ["a", "b", "c", "d", "e"]) add(targetId, 10);
    scheduler.wake();
    await settled();
    const counts = () => ["a", "b", "c", "d", "e"].map((targetId) => to(targetId).length);
    expect(counts()).toEqual([2, 2, 2, 2, 2]);
    for (const { end } of sending.slice(0, 5)) {
      end(success);
      await settled();
    }
    expect(counts()).toEqual([3, 3, 3, 3, 3]);
  });

  test("leaves alone what it has no sender for, and cancels what has no target", async () => {
    const { scheduler, add, sending, waiting, cancelled, recorded } = newStage();
    add("a", 1);
    add("m", 3, { channel: "mail" });
    scheduler.wake();
    await settled();
    expect([sending.length, waiting.length]).toEqual([1, 3]);
    sending[0]?.end(GONE);
    await settled();
    expect({ cancelled, recorded }).toEqual({ cancelled: ["dlv_1"], recorded: [] });
  });

  test("aborts what goes to a removed target, and gives its claims back", async () => {
    const { scheduler, add, to, released } = newStage();
    add("a", 2);
    add("b", 1);
    scheduler.wake();
    await settled();
    scheduler.abortTarget("a");
    await settled();
    expect([...to("a"), ...to("b")].map(({ signal }) => signal.aborted)).toEqual([true, true, false]);
    expect(released).toEqual(["dlv_1", "dlv_2"]);
  });

  test("looks every second, and when a retry that comes sooner is due", async () => {
    const { scheduler, add, sending, timers, fire, setNext } = newStage();
    scheduler.start();
    await settled();
    add("a", 1);
    fire(1_000);
    await settled();
    expect(sending).toHaveLength(1);
    setNext({ kind: "retry", inMs: 12 });
    sending[0]?.end({ ...success, isSuccess: false });
    await waitFor(() => timers.some(({ ms }) => ms === 12), { what: "the timer" });
    add("a", 1, { lane: lanes.retry });
    fire(12);
    await settled();
    expect(sending).toHaveLength(2);
    expect(timers.map(({ ms }) => ms)).toEqual([1_000]);
  });

  test("goes on after a database that did not answer, and says so once", async () => {
    const { scheduler, add, sending, errors, fire, setFault } = newStage();
    add("a", 1);
    setFault(new Error("No answer."));
    scheduler.start();
    for (let seconds = 0; seconds < 3; seconds += 1) {
      await settled();
      fire(1_000);
    }
    await settled();
    expect(errors).toEqual(["Deliveries wait until the database can be used"]);
    setFault(undefined);
    fire(1_000);
    await settled();
    expect(sending).toHaveLength(1);
  });

  test("keeps the claim of what failed for a defect, and says so", async () => {
    const { scheduler, add, sending, errors, released, recorded } = newStage();
    add("a", 1);
    scheduler.wake();
    await settled();
    sending[0]?.fail(new Error("A defect."));
    await settled();
    expect({ errors, released, recorded }).toEqual({
      errors: ["The delivery dlv_1 could not be attempted"],
      released: [],
      recorded: [],
    });
  });

  test("a stop claims nothing more, waits, and gives back what is not done in time", async () => {
    const { scheduler, add, sending, waiting, released, recorded, timers, fire } = newStage();
    scheduler.start();
    add("a", 6);
    scheduler.wake();
    await settled();
    let isStopped = false;
    const stopped = scheduler.stop(300).then(() => {
      isStopped = true;
    });
    sending[0]?.end(success);
    scheduler.wake();
    await settled();
    expect({ isStopped, recorded, waiting: waiting.length }).toEqual({
      isStopped: false,
      recorded: ["dlv_1"],
      waiting: 2,
    });
    fire(300);
    await stopped;
    expect({ released, timers }).toEqual({ released: ["dlv_2", "dlv_3", "dlv_4"], timers: [] });
  });
});

import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { parseOrdered, stringifyOrdered } from "../../../lib/ordered-json.ts";
import { OrderedSerializer } from "../../../mixins/ordered-serializer.ts";

const serializer = new OrderedSerializer();
const carried = (packet: object) => serializer.deserialize(serializer.serialize(packet));

describe("a packet between nodes", () => {
  test("keeps clients' keys as and in the order in which they were sent", () => {
    const sent = '{"b":"1","10":"2","__proto__":"3","a\\\\":"4","2":"5"}';
    const packet = { params: parseOrdered<object>(sent) };
    expect(carried(packet)).toEqual(packet);
    expect(stringifyOrdered(carried(packet))).toBe(`{"params":${sent}}`);
  });

  test("keeps a key that a client wrote as the marks are, and so has it refused", () => {
    const packet = { params: parseOrdered<object>('{"\\u000010":"x"}') };
    expect(carried(packet)).toEqual(packet);
  });

  test("keeps texts that begin with U+0000 or look like marked keys, for the other node to refuse", () => {
    const packet = { params: { name: "\u0000x", other: 'a"\u0000b', list: ["\u000010", '"\u0000":'] } };
    expect(carried(packet)).toEqual(packet);
  });

  test("arrives as it was sent, whatever texts and keys a client has sent", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom("\u0000", '"\u0000', '\\"\u0000":', "10"),
    );
    const { json } = fc.letrec((tie) => ({
      json: fc.oneof({ maxDepth: 3 }, text, fc.array(tie("json")), fc.dictionary(text, tie("json"))),
    }));
    fc.assert(
      fc.property(json, (sent) => {
        const packet = { params: parseOrdered(JSON.stringify(sent)) };
        expect(carried(packet)).toEqual(packet);
      }),
    );
  });
});

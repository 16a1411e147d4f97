import { Serializers } from "moleculer";
import { parseOrdered, stringifyOrdered } from "../lib/ordered-json.ts";

/** What nodes send each other: JSON that keeps clients' keys as and in the order in which they were sent. */
export class OrderedSerializer extends Serializers.Base {
  override serialize(packet: object): Buffer {
    return Buffer.from(stringifyOrdered(packet));
  }

  override deserialize(bytes: Buffer): object {
    return parseOrdered<object>(bytes.toString());
  }
}

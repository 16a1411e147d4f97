/** A JSON Schema as far as it says what is typed for a param. */
export interface Shape {
  readonly type?: unknown;
  readonly enum?: readonly unknown[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly additionalProperties?: Shape | boolean;
  readonly items?: Shape;
}

/** Whether a value of this shape may be of the JSON Schema type. */
export function mayBe({ type }: Shape, name: string): boolean {
  return [type].flat().includes(name);
}

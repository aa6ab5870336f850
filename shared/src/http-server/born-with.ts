type Constructor = abstract new (...args: never[]) => object;

/**
 * A constructor whose objects have the given prototype from birth. Express gives every request and response a prototype of
 * its own; done to finished objects, as it usually is, that costs more than all the rest of a request together. Objects that
 * have it already are left alone. The bases are Node's own, which are plain functions and can be applied to an object.
 */
export function bornWith<Base extends Constructor>(base: Base, prototype: object): Base {
  function born(this: object, ...args: readonly unknown[]): void {
    Reflect.apply(base, this, args);
  }
  born.prototype = prototype;
  // eslint-disable-next-line holdfast/no-type-assertion -- it constructs what the base constructs, which the compiler cannot see
  return born as unknown as Base;
}

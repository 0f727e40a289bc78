/** Properties that Node, promises and printers read from any object; they may be absent. */
const ASKED_OF_EVERYTHING = new Set([
  'then',
  'toJSON',
  'domain',
  'inspect',
  'nodeType',
  'asymmetricMatch',
  '$$typeof',
]);

/** A part of Electron that the stand-in lacks was used: it must be added, not ignored. */
export class NotStoodInError extends Error {
  constructor(name: string) {
    super(
      `The stand-in for Electron has no ${name}. Add it under tests/support/electron, as Electron documents it.`,
    );
    this.name = 'NotStoodInError';
  }
}

/** As `base`, except that reading what is absent throws {@link NotStoodInError}. */
function guard<T extends object>(name: string, base: T): T {
  return new Proxy(base, {
    get: (target, key, receiver) => {
      if (typeof key === 'symbol' || key in target || ASKED_OF_EVERYTHING.has(key))
        return Reflect.get(target, key, receiver) as unknown;
      throw new NotStoodInError(`${name}.${key}`);
    },
  });
}

/**
 * Makes reading an absent member of an object throw. The guard is at the end of the object's prototype chain, so that the
 * object stays itself: its methods can be replaced, and what Electron documents as absent is set to undefined.
 */
export function guarded<T extends object>(name: string, members: T): T {
  Object.setPrototypeOf(members, guard(name, Object.prototype));
  return members;
}

/** {@link guarded} for the instances, and with `statics` the static members, of a class. */
export function guardClass(name: string, type: { prototype: object }): void {
  const base = Object.getPrototypeOf(type.prototype) as object;
  Object.setPrototypeOf(type.prototype, guard(name, base));
}

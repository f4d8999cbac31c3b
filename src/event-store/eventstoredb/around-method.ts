/** A method of a library's object. */
type Method = (...given: unknown[]) => unknown;

/** Whether it can be called. */
export const isMethod = (value: unknown): value is Method => typeof value === 'function';

/**
 * Puts something around a method of an object of the client's, or of a prototype of its objects, where it offers no other
 * place for it; nothing where there is no such method, as another version of it may have none.
 */
export const aroundMethod = (object: unknown, name: string, around: (inner: Method) => Method): void => {
  if (typeof object !== 'object' || object === null) return;
  const inner: unknown = Reflect.get(object, name);
  if (!isMethod(inner)) return;
  Reflect.set(object, name, function aroundInner(this: unknown, ...given: unknown[]): unknown {
    // The client hands methods on without their object, too.
    const owner = this ?? object;
    return around((...passed) => Reflect.apply(inner, owner, passed))(...given);
  });
};

/** What a method of an object answers; null where it has no such method. */
export const answerOf = (object: unknown, name: string, ...given: unknown[]): unknown => {
  const method: unknown = typeof object === 'object' && object !== null ? Reflect.get(object, name) : null;
  return isMethod(method) ? Reflect.apply(method, object, given) : null;
};

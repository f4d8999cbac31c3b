declare const brand: unique symbol;

/** A nominal type over `A`: two brands of the same base are not interchangeable, so an order id can't pass for an event id. */
export type Brand<A, Name extends string> = A & { readonly [brand]: Name };

/**
 * The one place where a value gets its brand. Call it only behind a check, or on a value computed right there
 * (a digest, an id made from its parts).
 */
export function branded<B extends Brand<string | number, string>>(value: B extends string ? string : number): B;
export function branded(value: string | number): string | number {
  return value;
}

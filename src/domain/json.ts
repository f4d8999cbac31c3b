/** A JSON value that has lost nothing: numbers that a double can't hold, or would spell otherwise, keep their text. */
export type JsonValue = null | boolean | string | JsonNumber | JsonArray | JsonObject;
export type JsonArray = readonly JsonValue[];
export type JsonObject = { readonly [key: string]: JsonValue };

/** A plain number whose text is exactly `String(number)`, or the text itself. */
export type JsonNumber = number | ExactNumber;

declare global {
  interface JSON {
    /** ES2026: a value that `JSON.stringify` writes as the given text; not yet in TypeScript's library. */
    rawJSON(text: string): { readonly rawJSON: string };
  }
}

/** A number kept as the text that came. `JSON.stringify` writes that text again. */
export class ExactNumber {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }

  toJSON(): unknown {
    return JSON.rawJSON(this.source);
  }
}

/** The text of a number as it came. */
export const numberText = (value: JsonNumber): string => (typeof value === 'number' ? String(value) : value.source);

export const isJsonNumber = (value: unknown): value is JsonNumber =>
  typeof value === 'number' || value instanceof ExactNumber;

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber);

/** `Array.isArray` for JSON: it narrows to arrays that nobody may change. */
export const isJsonArray = (value: JsonValue): value is JsonArray => Array.isArray(value);

/** Member of an object where it is its own: `__proto__`, `constructor` and the like are looked up as data, never inherited. */
export const member = (object: JsonObject, key: string): JsonValue | undefined =>
  Object.hasOwn(object, key) ? object[key] : undefined;

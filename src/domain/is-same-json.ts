import { canonicalJson } from './canonical-json.ts';
import {
  isJsonArray,
  isJsonNumber,
  isJsonObject,
  member,
  type JsonArray,
  type JsonObject,
  type JsonValue,
} from './json.ts';

const areSameArrays = (a: JsonArray, b: JsonArray): boolean =>
  a.length === b.length &&
  a.every((item, at) => {
    const other = b[at];
    return other !== undefined && isSameJson(item, other);
  });

const areSameObjects = (a: JsonObject, b: JsonObject): boolean => {
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => {
      const [value, other] = [member(a, key), member(b, key)];
      return value !== undefined && other !== undefined && isSameJson(value, other);
    })
  );
};

/**
 * Whether two JSON values say the same, whatever the order of members or the spelling of numbers: what their canonical
 * texts tell too. It ends at the first difference, so it takes no longer than the smaller of the two is large.
 */
export const isSameJson = (a: JsonValue, b: JsonValue): boolean => {
  if (isJsonNumber(a)) return isJsonNumber(b) && canonicalJson(a) === canonicalJson(b);
  if (isJsonArray(a)) return isJsonArray(b) && areSameArrays(a, b);
  return isJsonObject(a) ? isJsonObject(b) && areSameObjects(a, b) : a === b;
};

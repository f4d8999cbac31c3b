import { isSameJson } from './is-same-json.ts';
import { ExactNumber, type JsonNumber, type JsonValue } from './json.ts';

/** Bounds of what is said of members that contradict one another: how many are named, and letters of a name. */
const MOST_NAMED = 20;
const LONGEST_PATH = 200;

/**
 * What a JSON text holds, and the paths of members that came more than once with different values, each once: the first
 * twenty of them, and of a long path its beginning and `…`.
 */
export type ExactlyRead = { readonly value: JsonValue; readonly contradictions: readonly string[] };

const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const BLANK_OR_LESS = 0x20;

const jsonNumber = (source: string): JsonNumber => {
  const number = Number(source);
  return String(number) === source ? number : new ExactNumber(source);
};

/** `__proto__` is data like any other; assigned, it would set the prototype. */
const setMember = (object: Record<string, JsonValue>, key: string, value: JsonValue): void => {
  if (key === '__proto__')
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  else Reflect.set(object, key, value);
};

/** Moves through a text that is known to be JSON, so that nothing is checked twice. */
class ExactReader {
  readonly contradictions = new Set<string>();
  readonly #text: string;
  #at = 0;
  readonly #path: (string | number)[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  value(): JsonValue {
    switch (this.#peek()) {
      case '{':
        return this.#object();
      case '[':
        return this.#array();
      case '"':
        return this.#string();
      case 't':
        return this.#skip(4, true);
      case 'f':
        return this.#skip(5, false);
      case 'n':
        return this.#skip(4, null);
      default:
        return this.#number();
    }
  }

  /** The next character that is no blank; the reader stands on it then. */
  #peek(): string {
    while (this.#text.charCodeAt(this.#at) <= BLANK_OR_LESS) this.#at += 1;
    return this.#text.charAt(this.#at);
  }

  #skip<A>(length: number, value: A): A {
    this.#at += length;
    return value;
  }

  /** Steps over a comma or the closing bracket; whether it was a comma. */
  #another(): boolean {
    const comma = this.#peek() === ',';
    this.#at += 1;
    return comma;
  }

  #object(): JsonValue {
    const object: Record<string, JsonValue> = {};
    this.#at += 1;
    if (this.#peek() === '}') return this.#skip(1, object);
    do {
      this.#peek();
      const key = this.#string();
      this.#peek();
      this.#at += 1;
      this.#path.push(key);
      const value = this.value();
      const former = Object.hasOwn(object, key) ? object[key] : undefined;
      if (former !== undefined && !isSameJson(former, value)) this.#contradict();
      this.#path.pop();
      setMember(object, key, value);
    } while (this.#another());
    return object;
  }

  /** Of a path no more is put together than is told: the whole of it may be half the text, and stand above thousands of contradictions. */
  #contradict(): void {
    if (this.contradictions.size === MOST_NAMED) return;
    let path = '';
    for (const [at, part] of this.#path.entries()) {
      path += `${at === 0 ? '' : '.'}${typeof part === 'number' ? part : part.slice(0, LONGEST_PATH + 1)}`;
      if (path.length > LONGEST_PATH) break;
    }
    this.contradictions.add(path.length > LONGEST_PATH ? `${path.slice(0, LONGEST_PATH)}…` : path);
  }

  #array(): JsonValue {
    const array: JsonValue[] = [];
    this.#at += 1;
    if (this.#peek() === ']') return this.#skip(1, array);
    do {
      this.#path.push(array.length);
      array.push(this.value());
      this.#path.pop();
    } while (this.#another());
    return array;
  }

  #string(): string {
    const start = this.#at;
    let end = this.#text.indexOf('"', start + 1);
    while (this.#isEscaped(end)) end = this.#text.indexOf('"', end + 1);
    this.#at = end + 1;
    const raw = this.#text.slice(start + 1, end);
    if (!raw.includes('\\')) return raw;
    const unescaped: unknown = JSON.parse(`"${raw}"`);
    return typeof unescaped === 'string' ? unescaped : raw;
  }

  #isEscaped(at: number): boolean {
    let before = at;
    while (this.#text.charAt(before - 1) === '\\') before -= 1;
    return (at - before) % 2 === 1;
  }

  #number(): JsonNumber {
    NUMBER.lastIndex = this.#at;
    const [source = ''] = NUMBER.exec(this.#text) ?? [];
    this.#at += source.length;
    return jsonNumber(source);
  }
}

/**
 * Reads a text that `JSON.parse` takes and that nests not too deep for recursion, losing nothing: each number keeps the
 * text that a double would not give back, and no member hides another of its name. Of those the last one is in the value.
 */
export const readExactly = (text: string): ExactlyRead => {
  const reader = new ExactReader(text);
  const value = reader.value();
  return { value, contradictions: [...reader.contradictions] };
};

import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../domain/json.ts';

/** An io-ts codec read as data: its `_tag` tells which of its members say what it accepts. */
export type Codec = { readonly name: string };

/** Schemas under a name, which others point at: `components.schemas` of the document. */
export type Components = Map<string, JsonObject>;

const isCodec = (value: unknown): value is Codec =>
  typeof value === 'object' && value !== null && 'name' in value && typeof value.name === 'string';

const at = (codec: Codec, member: string): unknown => Reflect.get(codec, member);

const codecAt = (codec: Codec, member: string): Codec => {
  const inner = at(codec, member);
  if (isCodec(inner)) return inner;
  throw new TypeError(`the codec ${codec.name} has no codec as its ${member}`);
};

const codecsAt = (codec: Codec, member: string): readonly Codec[] => {
  const inner = at(codec, member);
  return Array.isArray(inner) ? inner.filter(isCodec) : [];
};

const propsOf = (codec: Codec): readonly (readonly [string, Codec])[] =>
  Object.entries(at(codec, 'props') ?? {}).filter((entry): entry is [string, Codec] => isCodec(entry[1]));

const isPlain = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value);

const literalAt = (codec: Codec): string | number | boolean => {
  const value = at(codec, 'value');
  if (isPlain(value)) return value;
  throw new TypeError(`the literal ${codec.name} is none of JSON`);
};

/** Names that somebody gave, as io-ts makes names of its own for all others: `Array<string>`, `{| a: string |}`. */
const COMPONENT = /^[A-Z][A-Za-z]+$/;

/** Codecs that are components where they have such a name. */
const NAMEABLE: ReadonlySet<unknown> = new Set(['ExactType', 'InterfaceType', 'IntersectionType', 'UnionType']);

const jsonStrings = (values: readonly string[]): JsonObject => ({ type: 'string', enum: values });

const typesOf = (schema: JsonObject): readonly JsonValue[] | null => {
  const { type, ...rest } = schema;
  return typeof type === 'string' && Object.keys(rest).length === 0 ? [type] : null;
};

class Interpreter {
  readonly #components: Components;

  constructor(components: Components) {
    this.#components = components;
  }

  schema(codec: Codec): JsonObject {
    if (!NAMEABLE.has(at(codec, '_tag')) || !COMPONENT.test(codec.name)) return this.#inline(codec);
    if (!this.#components.has(codec.name)) {
      // Its place is taken before its parts are looked at, so that components are listed in the order in which they are
      // met.
      this.#components.set(codec.name, {});
      this.#components.set(codec.name, this.#inline(codec));
    }
    return { $ref: `#/components/schemas/${codec.name}` };
  }

  #inline(codec: Codec): JsonObject {
    const given = at(codec, 'schema');
    if (isJsonObject(given)) return given;
    switch (at(codec, '_tag')) {
      case 'DescribedType':
        return this.#described(codec);
      case 'StringType':
        return { type: 'string' };
      case 'NumberType':
        return { type: 'number' };
      case 'BooleanType':
        return { type: 'boolean' };
      case 'NullType':
        return { type: 'null' };
      case 'LiteralType':
        return { const: literalAt(codec) };
      case 'KeyofType':
        return jsonStrings(Object.keys(at(codec, 'keys') ?? {}));
      case 'ReadonlyArrayType':
      case 'ArrayType':
        return { type: 'array', items: this.schema(codecAt(codec, 'type')) };
      case 'DictionaryType':
        return { type: 'object', additionalProperties: this.schema(codecAt(codec, 'codomain')) };
      case 'ExactType':
        return { ...this.#inline(codecAt(codec, 'type')), additionalProperties: false };
      case 'InterfaceType':
        return this.#object(codec, true);
      case 'PartialType':
        return this.#object(codec, false);
      case 'IntersectionType':
        return this.#intersection(codecsAt(codec, 'types'));
      case 'UnionType':
        return this.#union(codecsAt(codec, 'types'));
      default:
        throw new TypeError(`the codec ${codec.name} says nothing of its schema`);
    }
  }

  #described(codec: Codec): JsonObject {
    const annotations = at(codec, 'annotations');
    return { ...this.schema(codecAt(codec, 'inner')), ...(isJsonObject(annotations) ? annotations : {}) };
  }

  #object(codec: Codec, required: boolean): JsonObject {
    const props = propsOf(codec);
    const properties = Object.fromEntries(props.map(([name, inner]) => [name, this.schema(inner)]));
    return { type: 'object', properties, ...(required ? { required: props.map(([name]) => name) } : {}) };
  }

  /** Of objects: all their members together, so that a closed one knows each of them. */
  #intersection(codecs: readonly Codec[]): JsonObject {
    const parts = codecs.map((codec) => this.#inline(codec));
    const of = (name: string): readonly JsonObject[] =>
      parts.flatMap(({ [name]: part }) => (isJsonObject(part) ? [part] : []));
    const required = parts.flatMap(({ required: names }) => (names !== undefined && isJsonArray(names) ? names : []));
    return {
      type: 'object',
      properties: Object.fromEntries(of('properties').flatMap((members) => Object.entries(members))),
      required,
    };
  }

  #union(codecs: readonly Codec[]): JsonObject {
    const literals = codecs.filter((codec) => at(codec, '_tag') === 'LiteralType').map(literalAt);
    if (literals.length === codecs.length) return jsonStrings(literals.map(String));
    const schemas = codecs.map((codec) => this.schema(codec));
    const types = schemas.map(typesOf);
    if (types.every((type) => type !== null)) return { type: types.flat() };
    return orNull(schemas) ?? { anyOf: schemas };
  }
}

/** A single typed schema or null, as most tools like it best: `{type: [string, null], …}`. */
const orNull = (schemas: readonly JsonObject[]): JsonObject | null => {
  const [first, second, ...others] = schemas;
  if (first === undefined || second === undefined || others.length > 0) return null;
  if (second['type'] !== 'null' || typeof first['type'] !== 'string') return null;
  const { enum: words, ...rest } = first;
  const withNull = words !== undefined && isJsonArray(words) ? { enum: [...words, null] } : {};
  return { ...rest, type: [first['type'], 'null'], ...withNull };
};

/**
 * The JSON Schema (2020-12) of an io-ts codec. Codecs with a name of their own become components and are pointed at; a
 * codec that is neither of io-ts nor carries its schema fails, so that nothing is documented by a guess.
 */
export const schemaOf = (codec: Codec, components: Components): JsonObject => new Interpreter(components).schema(codec);

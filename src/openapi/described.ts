import * as t from 'io-ts';
import type { JsonObject } from '../domain/json.ts';

/** A codec with what its JSON Schema says beyond the type: a description, a format, bounds, an example. */
class DescribedType<A, O> extends t.Type<A, O> {
  readonly _tag = 'DescribedType';
  readonly inner: t.Type<A, O>;
  readonly annotations: JsonObject;

  constructor(inner: t.Type<A, O>, annotations: JsonObject) {
    super(inner.name, inner.is, inner.validate, inner.encode);
    this.inner = inner;
    this.annotations = annotations;
  }
}

/**
 * A codec with its schema given by hand, where the schema can't be derived from it: brands, refinements, values of any
 * shape.
 */
class SchemaType<A> extends t.Type<A> {
  readonly schema: JsonObject;

  constructor(name: string, is: t.Is<A>, schema: JsonObject) {
    super(name, is, (u, c) => (is(u) ? t.success(u) : t.failure(u, c)), t.identity);
    this.schema = schema;
  }
}

/** The same codec, and what the document says about it. */
export const described = <A, O>(codec: t.Type<A, O>, description: string, annotations: JsonObject = {}): t.Type<A, O> =>
  new DescribedType(codec, { description, ...annotations });

/** A codec that is its check, with the schema that says the same. */
export const checkedBy = <A>(name: string, is: t.Is<A>, schema: JsonObject): t.Type<A> =>
  new SchemaType(name, is, schema);

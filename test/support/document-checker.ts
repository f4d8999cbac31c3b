import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { expect } from 'chai';
import { isJsonArray, isJsonObject, member, type JsonObject, type JsonValue } from '../../src/domain/json.ts';

/** An answer as it came over the wire. */
export type SeenAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
};

/** All of a body, or the first part of one without an end. */
const bodyText = async (response: Response): Promise<string> => {
  if (response.headers.get('content-type')?.startsWith('text/event-stream') !== true) return response.text();
  for await (const part of response.body ?? []) return Buffer.from(part).toString();
  return '';
};

/** What a fetch came to. */
export const seenAnswer = async (response: Response): Promise<SeenAnswer> => ({
  status: response.status,
  headers: Object.fromEntries(response.headers),
  text: await bodyText(response),
});

type Documented = {
  readonly id: string;
  readonly method: string;
  readonly pattern: RegExp;
  readonly responses: JsonObject;
};

const METHODS = ['get', 'post', 'delete'];

const objectAt = (value: JsonValue | undefined, ...path: readonly string[]): JsonObject => {
  const found = path.reduce<JsonValue | undefined>(
    (inner, name) => (inner !== undefined && isJsonObject(inner) ? member(inner, name) : undefined),
    value,
  );
  return found !== undefined && isJsonObject(found) ? found : {};
};

const textOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');

const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll(/[.+]/g, String.raw`\$&`).replaceAll(/\{\w+\}/g, '[^/]+')}$`);

const mediaType = (headers: SeenAnswer['headers']): string => String(headers['content-type'] ?? '').replace(/;.*/, '');

/** The kind of an answer without a body. */
const NOTHING = 'nothing';
const PROBLEM = 'application/problem+json';

/** Headers that any answer may have: of HTTP itself, and those that tell browsers what they may do with it. */
const OF_ANY_ANSWER =
  /^(content-(type|length|security-policy)|date|connection|keep-alive|transfer-encoding|cache-control|strict-transport-security|referrer-policy|origin-agent-cluster|cross-origin-.*|x-(content-type-options|dns-prefetch-control|download-options|frame-options|permitted-cross-domain-policies|xss-protection))$/;

/** Holds answers to an OpenAPI document, and remembers which of its answers were seen. */
export class DocumentChecker {
  readonly #document: JsonObject;
  readonly #operations: readonly Documented[];
  readonly #ajv = new Ajv2020({ strict: true, allowUnionTypes: true, strictRequired: false, allErrors: true });
  readonly #validators = new Map<string, ValidateFunction>();
  readonly #seen = new Set<string>();

  constructor(document: JsonObject) {
    this.#document = document;
    formats.default(this.#ajv);
    this.#ajv.addVocabulary([
      'openapi',
      'info',
      'servers',
      'tags',
      'paths',
      'webhooks',
      'components',
      'jsonSchemaDialect',
    ]);
    this.#ajv.addSchema(document, 'openapi');
    this.#operations = Object.entries(objectAt(document, 'paths')).flatMap(([path, item]) =>
      METHODS.flatMap((method) => {
        const operation = objectAt(item, method);
        const id = textOf(operation['operationId']);
        return id === '' ? [] : [{ id, method, pattern: patternOf(path), responses: objectAt(operation, 'responses') }];
      }),
    );
  }

  /** Everything that the document says can be answered: `getOrder 200 application/json`, `getOrder 404 not-found`. */
  documented(): readonly string[] {
    return this.#operations.flatMap(({ id, responses }) =>
      Object.keys(responses)
        .filter((status) => status !== 'default')
        .flatMap((status) => this.#kinds(responses, status).map((kind) => `${id} ${status} ${kind}`)),
    );
  }

  /** Those of them that were seen. */
  seen(): readonly string[] {
    return [...this.#seen];
  }

  ids(): readonly string[] {
    return this.#operations.map(({ id }) => id);
  }

  /** The scopes of an operation; none for one that is open to everybody. */
  scopes(id: string): readonly string[] {
    for (const item of Object.values(objectAt(this.#document, 'paths'))) {
      for (const method of METHODS) {
        const operation = objectAt(item, method);
        if (operation['operationId'] !== id) continue;
        const security = operation['security'];
        const first = security !== undefined && isJsonArray(security) ? security[0] : undefined;
        const scopes = first !== undefined && isJsonObject(first) ? first['apiKey'] : undefined;
        return scopes !== undefined && isJsonArray(scopes) ? scopes.map((scope) => textOf(scope)) : [];
      }
    }
    return [];
  }

  /** Fails for an answer that the document does not know, to its last field. */
  hold(method: string, target: string, answer: SeenAnswer): void {
    const path = target.replace(/\?.*/, '');
    const operation = this.#operations.find((one) => one.method === method.toLowerCase() && one.pattern.test(path));
    const what = `${method} ${target} ${answer.status} ${answer.text.slice(0, 400)}`;
    if (operation === undefined) {
      expect([404, 405], `no operation: ${what}`).to.include(answer.status);
      return;
    }
    const { id, responses } = operation;
    const status = String(answer.status);
    const isDocumented = Object.hasOwn(responses, status);
    expect(isDocumented, `undocumented status: ${what}`).to.equal(true);
    const kind = this.#content(responses, status, answer, what);
    this.#headers(this.#resolved(responses, status), answer, what);
    this.#seen.add(`${id} ${status} ${kind}`);
  }

  /** The answer to what never became a request, which is the same for every operation. */
  holdUnreadable(answer: SeenAnswer): string {
    const [any] = this.#operations;
    return this.#content(any?.responses ?? {}, 'default', answer, answer.text);
  }

  /** A value that the document gives for one of its schemas. */
  holdValue(schema: JsonValue, value: JsonValue | undefined): void {
    const validate = this.#validator(isJsonObject(schema) ? schema : {});
    expect(validate(value), `${JSON.stringify(value)}: ${this.#ajv.errorsText(validate.errors)}`).to.equal(true);
  }

  #resolved(responses: JsonObject, status: string): JsonObject {
    const response = objectAt(responses, status);
    const name = textOf(response['$ref']).replace('#/components/responses/', '');
    return name === '' ? response : objectAt(this.#document, 'components', 'responses', name);
  }

  #kinds(responses: JsonObject, status: string): readonly string[] {
    const contents = Object.entries(objectAt(this.#resolved(responses, status), 'content'));
    if (contents.length === 0) return [NOTHING];
    return contents.flatMap(([type, content]) => {
      const codes = objectAt(content, 'schema', 'properties', 'code')['enum'];
      return type === PROBLEM && codes !== undefined && isJsonArray(codes) ? codes.map((code) => textOf(code)) : [type];
    });
  }

  #content(responses: JsonObject, status: string, { headers, text }: SeenAnswer, what: string): string {
    const contents = objectAt(this.#resolved(responses, status), 'content');
    if (Object.keys(contents).length === 0 && text === '') return NOTHING;
    const type = mediaType(headers);
    expect(Object.keys(contents), `undocumented media type: ${what}`).to.include(type);
    if (type !== 'application/json' && type !== PROBLEM) return type;
    const value: unknown = JSON.parse(text);
    const validate = this.#validator(objectAt(contents, type, 'schema'));
    expect(validate(value), `${what}: ${this.#ajv.errorsText(validate.errors)}`).to.equal(true);
    return type === PROBLEM && typeof value === 'object' && value !== null && 'code' in value
      ? String(value.code)
      : type;
  }

  /** A schema of the document, its references being into the document. */
  #validator(schema: JsonObject): ValidateFunction {
    const key = JSON.stringify(schema).replaceAll('"#/', '"openapi#/');
    const known = this.#validators.get(key);
    if (known !== undefined) return known;
    const made = this.#ajv.compile(JSON.parse(key));
    this.#validators.set(key, made);
    return made;
  }

  #headers(response: JsonObject, { headers }: SeenAnswer, what: string): void {
    const documented = objectAt(response, 'headers');
    const names = Object.keys(documented).map((name) => name.toLowerCase());
    const others = Object.keys(headers).filter((name) => !names.includes(name) && !OF_ANY_ANSWER.test(name));
    expect(others, `undocumented headers: ${what}`).to.deep.equal([]);
    for (const name of Object.keys(documented)) {
      const reference = textOf(objectAt(documented, name)['$ref']).replace('#/components/headers/', '');
      const header =
        reference === '' ? objectAt(documented, name) : objectAt(this.#document, 'components', 'headers', reference);
      const schema = objectAt(header, 'schema');
      const value = headers[name.toLowerCase()];
      if (value === undefined && header['required'] !== true) continue;
      const validate = this.#validator(schema);
      const read = schema['type'] === 'integer' ? Number(value) : value;
      expect(validate(read), `header ${name} ${String(value)}: ${what}`).to.equal(true);
    }
  }
}

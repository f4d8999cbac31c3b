import { isJsonObject, member, type JsonObject, type JsonValue } from '../domain/json.ts';
import { TAGS, type AnswerDoc, type BodyDoc, type ContentDoc, type Operation, type ParameterDoc } from './operation.ts';
import { PROBLEMS, type ProblemCode } from './problem-codes.ts';
import {
  problemResponse,
  RATE_LIMIT_HEADERS,
  responseName,
  UNREADABLE,
  unreadableResponse,
} from './problem-responses.ts';
import { schemaOf, type Codec, type Components } from './schema-of.ts';

/** What the document is made of. */
export type Described = {
  readonly version: string;
  readonly operations: readonly Operation[];
  /** What the provider sends, by name: an operation that receives it, as the provider sees it. */
  readonly webhooks: Readonly<Record<string, Operation>>;
  readonly problem: Codec;
  /** Bodies that the ledger answered with: by operation, and by problem code under `problems`. */
  readonly examples: JsonObject;
};

const DESCRIPTION = `An event-sourced, provable ledger of on-ramp and off-ramp orders, fed by signed webhooks.

Amounts are strings in plain decimal notation, times are ISO 8601 in UTC, lists answer \`{data, next}\` where \`next\` is null or the
\`cursor\` of the next page. \`position=\` makes an answer wait until it includes what was acknowledged with that position.
Without the scope \`pii:read\` personal data is masked. Unknown path: 404 \`not-found\`. Wrong method: 405
\`method-not-allowed\`. \`HEAD\` works wherever \`GET\` does. Every answer carries \`X-Request-Id\`, the caller's own where it
sent one that matches \`[A-Za-z0-9_.:-]{8,128}\`.

The version is that of this interface, the \`v1\` of its paths. The program has its own: \`ramp-ledger --version\` and the console's
_Health_ say it.`;

const REQUEST_ID = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } } as const;

/** Whether calls of an operation count for a key's limit: those that are asked with a key do. */
const isCounted = ({ problems }: Operation): boolean => problems.includes('rate-limited');

const exampleOf = (examples: JsonObject, ...path: readonly string[]): JsonValue | undefined =>
  path.reduce<JsonValue | undefined>(
    (value, name) => (value !== undefined && isJsonObject(value) ? member(value, name) : undefined),
    examples,
  );

const asExamples = (value: JsonValue | undefined, summary: string): JsonObject =>
  value === undefined ? {} : { examples: { sandbox: { summary, value } } };

const toResponse = (name: string): JsonObject => ({ $ref: `#/components/responses/${name}` });

class DocumentBuilder {
  readonly components: Components = new Map();
  readonly #problems = new Map<string, { readonly codes: readonly ProblemCode[]; readonly counted: boolean }>();
  readonly #described: Described;

  constructor(described: Described) {
    this.#described = described;
  }

  operation(operation: Operation, id: string): JsonObject {
    const { tag, summary, description, scopes, parameters, body } = operation;
    return {
      operationId: id,
      tags: [tag],
      summary,
      ...(description === undefined ? {} : { description }),
      security: scopes.length === 0 ? [] : [{ apiKey: scopes }],
      ...(parameters.length === 0 ? {} : { parameters: parameters.map(parameterObject) }),
      ...(body === undefined ? {} : { requestBody: this.#body(body, operation.id) }),
      responses: this.#responses(operation),
    };
  }

  /** The answers that are problems, which operations share. */
  get responses(): JsonObject {
    const { examples } = this.#described;
    const problems = [...this.#problems].map(
      ([name, { codes, counted }]) => [name, problemResponse(codes, counted, examples)] as const,
    );
    return { ...Object.fromEntries(problems), [UNREADABLE]: unreadableResponse(examples) };
  }

  schema(codec: Codec): JsonObject {
    return schemaOf(codec, this.components);
  }

  #body({ description, codecs, others = [] }: BodyDoc, id: string): JsonObject {
    const given = exampleOf(this.#described.examples, 'requests', id);
    const named = given !== undefined && isJsonObject(given) ? Object.entries(given) : [];
    const examples = Object.fromEntries(named.map(([name, value]) => [name, { value }]));
    const schemas = codecs.map((codec) => this.schema(codec));
    const [only] = schemas;
    const schema = schemas.length === 1 && only !== undefined ? only : { oneOf: schemas };
    const json = schemas.length === 0 ? [] : [['application/json', { schema, examples }] as const];
    const forms = others.map((other) => [other.type, { schema: other.schema }] as const);
    return { description, required: true, content: Object.fromEntries([...json, ...forms]) };
  }

  #responses(operation: Operation): JsonObject {
    const answers = operation.answers.map(
      (answer) => [String(answer.status), this.#answer(answer, operation)] as const,
    );
    const byStatus = Map.groupBy(operation.problems, (code) => String(PROBLEMS[code].status));
    const problems = [...byStatus].map(
      ([status, codes]) => [status, this.#problem(codes, isCounted(operation))] as const,
    );
    return { ...Object.fromEntries([...answers, ...problems]), default: toResponse(UNREADABLE) };
  }

  #problem(codes: readonly ProblemCode[], counted: boolean): JsonObject {
    const name = responseName(codes);
    const known = this.#problems.get(name);
    this.#problems.set(name, { codes, counted: counted || known?.counted === true });
    return toResponse(name);
  }

  #answer({ status, description, headers, contents }: AnswerDoc, operation: Operation): JsonObject {
    const example = exampleOf(this.#described.examples, 'answers', operation.id, String(status));
    return {
      description,
      headers: {
        ...REQUEST_ID,
        ...(isCounted(operation) ? RATE_LIMIT_HEADERS : {}),
        ...Object.fromEntries(Object.entries(headers).map(([name, header]) => [name, { required: true, ...header }])),
      },
      content: Object.fromEntries(contents.map((content) => [content.type, this.#content(content, example)])),
    };
  }

  #content(content: ContentDoc, example: JsonValue | undefined): JsonObject {
    return 'codec' in content
      ? { schema: this.schema(content.codec), ...asExamples(example, 'What the ledger answers after the sandbox') }
      : { schema: content.schema };
  }
}

const parameterObject = ({ name, in: place, description, schema, required }: ParameterDoc): JsonObject => ({
  name,
  in: place,
  description,
  ...(required ? { required } : {}),
  schema,
});

/** Lets others have their turn, where it is time. */
type Pause = () => Promise<void>;

const pathsOf = async (
  builder: DocumentBuilder,
  operations: readonly Operation[],
  pause: Pause,
): Promise<JsonObject> => {
  const paths = new Map<string, Readonly<Record<string, JsonObject>>>();
  for (const operation of operations) {
    const { path, method, id } = operation;
    paths.set(path, { ...paths.get(path), [method]: builder.operation(operation, id) });
    await pause();
  }
  return Object.fromEntries(paths);
};

const SECURITY: JsonObject = {
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    description:
      'An API key of `API_KEYS`, or the generated one in the data directory. The scopes beside an operation are all needed; none implies another.',
  },
};

/**
 * The OpenAPI 3.1 document of the HTTP interface.
 *
 * @param pause awaited behind each operation: all of them take longer than others may wait
 */
export const openApiDocument = async (described: Described, pause: Pause): Promise<JsonObject> => {
  const builder = new DocumentBuilder(described);
  builder.schema(described.problem);
  const paths = await pathsOf(builder, described.operations, pause);
  const webhooks = Object.fromEntries(
    Object.entries(described.webhooks).map(([name, operation]) => [name, { post: builder.operation(operation, name) }]),
  );
  return {
    openapi: '3.1.1',
    info: { title: 'Ramp Ledger', version: described.version, description: DESCRIPTION },
    servers: [{ url: '/' }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    webhooks,
    components: {
      securitySchemes: SECURITY,
      headers: {
        RequestId: {
          description: 'Finds the request in the log.',
          required: true,
          schema: { type: 'string', pattern: String.raw`^[A-Za-z0-9_.:-]{8,128}$` },
        },
        RetryAfter: {
          description: 'Seconds after which it is worth asking again.',
          required: true,
          schema: { type: 'integer', minimum: 1 },
        },
        RateLimit: {
          description:
            'How many questions the API key may ask until its window ends (`r`), and in how many seconds that is (`t`). Absent where an answer was given before its question was counted.',
          schema: { type: 'string', pattern: String.raw`^"key";r=\d+;t=\d+$` },
        },
        RateLimitPolicy: {
          description: 'How many questions (`q`) an API key may ask in how many seconds (`w`).',
          schema: { type: 'string', pattern: String.raw`^"key";q=\d+;w=\d+$` },
        },
        Challenge: {
          description: 'The scheme, and what is missing.',
          required: true,
          schema: { type: 'string', pattern: '^Bearer ' },
        },
      },
      responses: builder.responses,
      schemas: Object.fromEntries(builder.components),
    },
  };
};

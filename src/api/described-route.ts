import type { ContentDoc, BodyDoc, HeaderDoc, Operation, ParameterDoc } from '../openapi/operation.ts';
import type { ParameterTable } from '../queries/parameters/parameters.ts';
import type { Resource } from '../replies/reply.ts';
import type { Answer } from './answer.ts';
import type { ApiDependencies } from './api-dependencies.ts';
import type { Question } from './question.ts';

/** A form of an answer that no codec knows. */
export type FormDoc = Exclude<ContentDoc, { readonly codec: unknown }>;

/** What a route answers with, by its codec; other forms beside it are described by a schema. */
export type AnswerForm<A> = {
  readonly description: string;
  /** Null: it is never JSON. */
  readonly resource: Resource<A> | null;
  readonly others?: readonly FormDoc[];
  readonly headers?: Readonly<Record<string, HeaderDoc>>;
};

/** A route of the query side (docs/spec/http.md): what is asked and answered, for the caller and for the document. */
export type Route<Path extends string, T extends ParameterTable, A> = Pick<
  Operation,
  'id' | 'method' | 'tag' | 'summary' | 'description' | 'scopes' | 'problems'
> & {
  readonly path: Path;
  /** Whether the key may come as the password of HTTP Basic, for clients that know no bearer. */
  readonly basic?: true;
  readonly parameters: T;
  /** Those of the request that it reads. */
  readonly headers?: readonly ParameterDoc[];
  /** What it takes as a body, how many bytes of it, and within which time; ten seconds where nothing is said. */
  readonly body?: BodyDoc & { readonly mostBytes: number; readonly withinMs?: number };
  readonly answers: AnswerForm<A>;
  /** Whether its answers may be large, and are made in another thread where there is one: see `HandOver`. */
  readonly large?: true;
  readonly answer: (question: Question<Path, T>) => Answer<NoInfer<A>>;
};

/** What every route stands on. */
export type RouteDependencies = Pick<ApiDependencies, 'apiKeys' | 'limits' | 'log' | 'handOver'>;

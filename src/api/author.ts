import type { Author } from '../domain/own-event/own-metadata.ts';
import type { ParameterTable } from '../queries/parameters/parameters.ts';
import type { ApiDependencies } from './api-dependencies.ts';
import type { Question } from './question.ts';

/** Who changes something by a request: the id of their key, now. */
export const authorOf = (
  { now }: Pick<ApiDependencies, 'now'>,
  { keyId, requestId }: Pick<Question<string, ParameterTable>, 'keyId' | 'requestId'>,
): Author => ({ by: keyId, at: now(), requestId });

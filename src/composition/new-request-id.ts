import { randomUUID } from 'node:crypto';
import { branded } from '../domain/brand.ts';
import type { RequestId } from '../domain/ids.ts';

/** A request id for a request that brings none. */
export const newRequestId = (): RequestId => branded<RequestId>(randomUUID());

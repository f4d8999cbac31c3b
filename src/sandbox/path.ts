import * as E from 'fp-ts/lib/Either.js';
import type { Flow } from '../domain/flow.ts';
import { isJsonArray, isJsonObject, member, type JsonValue } from '../domain/json.ts';
import { OFF_RAMP_STATUSES, ON_RAMP_STATUSES } from '../domain/status.ts';

/**
 * One event on an order's path. `payout`: which utr it carries: none, the one of the n-th payout attempt (from 1), or
 * exactly this.
 */
type PathStep = { readonly status: string; readonly payout: number | string | null };

export type Path = readonly PathStep[];

/** The statuses of each flow as docs/spec/provider.md lists them, and the off-ramp sample's `completed`. */
const STATUSES: Readonly<Record<Flow, readonly string[]>> = { onramp: ON_RAMP_STATUSES, offramp: OFF_RAMP_STATUSES };

const PAYOUT_STATUSES: readonly string[] = ['fiatDeemed', 'fiatFailed', 'PayoutSuccess'];

const through = (...statuses: readonly string[]): Path => statuses.map((status) => ({ status, payout: null }));
const deemed = (payout: number | null): PathStep => ({ status: 'fiatDeemed', payout });
const failed = (payout: number | null): PathStep => ({ status: 'fiatFailed', payout });
const paid = (payout: number | null): PathStep => ({ status: 'PayoutSuccess', payout });

const RECEIVED = through('pending', 'orderReceived', 'CryptoReceived');
const SWAPPED = through('pending', 'orderReceived', 'InProgress', 'CryptoReceived');

/** The paths that have a name (docs/spec/provider.md, Transitions). */
export const NAMED_PATHS: Readonly<Record<Flow, ReadonlyMap<string, Path>>> = {
  onramp: new Map([
    ['completed', through('fiatPending', 'orderReceived', 'fiatReceived', 'transferred', 'completed')],
    [
      'completed-in-progress',
      through('fiatPending', 'orderReceived', 'InProgress', 'fiatReceived', 'transferred', 'completed'),
    ],
    ['in-progress', through('fiatPending', 'orderReceived', 'InProgress')],
    ['pending', through('fiatPending')],
    ['expired', through('fiatPending', 'expired')],
    ['refunding', through('fiatPending', 'orderReceived', 'fiatReceived', 'refunding')],
    ['refund', through('fiatPending', 'orderReceived', 'fiatReceived', 'refunding', 'refunded')],
  ]),
  offramp: new Map<string, Path>([
    ['paid', [...RECEIVED, paid(1)]],
    ['paid-in-progress', [...SWAPPED, paid(1)]],
    ['in-progress', through('pending', 'orderReceived', 'InProgress')],
    ['pending', through('pending')],
    ['deemed', [...RECEIVED, deemed(1)]],
    ['deemed-paid', [...RECEIVED, deemed(1), paid(1)]],
    ['deemed-failed', [...RECEIVED, deemed(1), failed(1)]],
    ['failed', [...RECEIVED, failed(1)]],
    ['retried', [...RECEIVED, deemed(1), failed(1), deemed(2), paid(2)]],
    ['late-utr', [...RECEIVED, deemed(null), deemed(1), paid(1)]],
    ['no-utr', [...RECEIVED, deemed(null), paid(null)]],
    ['refund', through('pending', 'orderReceived', 'InProgress', 'refunded')],
    ['sample-completed', [...RECEIVED, ...through('completed')]],
    ['sample-completed-paid', [...RECEIVED, ...through('completed'), paid(1)]],
  ]),
};

/**
 * Whether an order is left to wait for its expiry, three hours after its creation (docs/spec/provider.md, Transitions).
 */
export const awaitsExpiry = (flow: Flow, path: Path): boolean =>
  flow === 'onramp' && path.every(({ status }) => status === 'fiatPending');

const asStep = (value: JsonValue): { readonly status: string; readonly utr?: string | null } | null => {
  if (typeof value === 'string') return { status: value };
  if (!isJsonObject(value) || Object.keys(value).some((key) => key !== 'status' && key !== 'utr')) return null;
  const [status, utr] = [member(value, 'status'), member(value, 'utr')];
  if (typeof status !== 'string') return null;
  if (utr === undefined) return { status };
  return typeof utr === 'string' || utr === null ? { status, utr } : null;
};

/** Gives each payout status the utr of its attempt; behind a failed one another attempt begins. */
const readSteps = (flow: Flow, values: readonly JsonValue[]): E.Either<string, Path> => {
  const path: PathStep[] = [];
  let attempt = 1;
  let hasFailed = false;
  for (const value of values) {
    const step = asStep(value);
    if (step === null) return E.left('path: expected statuses, or {"status", "utr"} in their place');
    const { status, utr } = step;
    if (!STATUSES[flow].includes(status)) {
      return E.left(
        `path: ${JSON.stringify(status.slice(0, 64))} is no status of ${flow}; expected ${STATUSES[flow].join(', ')}`,
      );
    }
    if (hasFailed && PAYOUT_STATUSES.includes(status) && status !== 'fiatFailed') {
      attempt += 1;
      hasFailed = false;
    }
    hasFailed ||= status === 'fiatFailed';
    const usual = flow === 'offramp' && PAYOUT_STATUSES.includes(status) ? attempt : null;
    path.push({ status, payout: utr === undefined ? usual : utr === '' ? null : utr });
  }
  return E.right(path);
};

/** Reads a path: the name of one, or its statuses. What is wrong is said in one line that names what is right. */
export const readPath = (flow: Flow, value: JsonValue | undefined): E.Either<string, Path> => {
  const names = [...NAMED_PATHS[flow].keys()].join(', ');
  const expected = `expected a list of statuses, or one of ${names}`;
  if (typeof value === 'string') {
    const path = NAMED_PATHS[flow].get(value);
    return path === undefined
      ? E.left(`path: ${JSON.stringify(value.slice(0, 64))} is no path of ${flow}; expected one of ${names}`)
      : E.right(path);
  }
  if (value === undefined || !isJsonArray(value) || value.length === 0) return E.left(`path: ${expected}`);
  return readSteps(flow, value);
};

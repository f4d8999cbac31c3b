import { either as E } from 'fp-ts';
import { judged, well, wrong, type DoctorCheck } from '../../cli/doctor-check.ts';
import type { Config } from '../../config/index.ts';
import { isDataDirInUse } from '../../event-store/sqlite/sqlite-event-store.ts';
import type { ExchangeError, UpstreamAnswer } from '../../tokens/exchange.ts';
import { fetchExchange } from '../../tokens/fetch-exchange.ts';
import { problemAndCure } from './problem-and-cure.ts';

const NAME = 'ledger';
const ANSWER_WITHIN_MS = 3_000;

/** Whether a ledger serves from the data directory, and what it answered at /readyz; null: it could not be asked. */
export type ServingState = E.Either<
  string,
  { readonly serves: false } | { readonly serves: true; readonly url: string | null; readonly answer: Readiness | null }
>;

type Readiness = E.Either<ExchangeError, UpstreamAnswer>;

/** Where a ledger of this configuration answers on this machine; null where that can't be known. */
const addressOf = ({ host, port }: Pick<Config, 'host' | 'port'>): URL | null => {
  if (port === 0) return null;
  const reached = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  const url = `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}/readyz`;
  return URL.canParse(url) ? new URL(url) : null;
};

/** Looks whether a ledger serves, and asks it whether it could take a delivery. */
export const servingState = async (config: Pick<Config, 'host' | 'port' | 'dataDir'>): Promise<ServingState> => {
  const inUse = isDataDirInUse(config.dataDir);
  if (E.isLeft(inUse)) return E.left(inUse.left.detail);
  if (!inUse.right) return E.right({ serves: false });
  const url = addressOf(config);
  if (url === null) return E.right({ serves: true, url: null, answer: null });
  const request = { method: 'GET', url, headers: {}, body: null } as const;
  const answer = await fetchExchange(request, AbortSignal.timeout(ANSWER_WITHIN_MS))();
  return E.right({ serves: true, url: url.origin, answer });
};

const READY = 200;
const NOT_READY = 503;

/** A ledger that is stopped is well; one that serves has to be ready. */
export const ledgerCheck = (state: ServingState): DoctorCheck => {
  if (E.isLeft(state)) {
    const trouble = problemAndCure(state.left, 'see that DATA_DIR can be read by this user');
    return judged(NAME, '', [trouble]);
  }
  if (!state.right.serves) return well(NAME, 'none serves from this data directory');
  const { url, answer } = state.right;
  const unasked = 'one serves from this data directory; it was not asked, since PORT does not say where it answers';
  if (url === null || answer === null) return well(NAME, unasked);
  if (E.isLeft(answer)) {
    return answer.left._tag === 'TimedOut'
      ? wrong(
          NAME,
          `one serves from this data directory, and ${url}/readyz gives no answer within ${ANSWER_WITHIN_MS / 1_000} s`,
          'look at its log and at the load of the machine; if it stays silent, restart it: ramp-ledger serve',
        )
      : well(
          NAME,
          `one serves from this data directory; it was not asked, since nothing answers at ${url} (HOST, PORT)`,
        );
  }
  const { status } = answer.right;
  if (status === READY) return well(NAME, `it serves at ${url}, and could take a delivery now`);
  if (status !== NOT_READY)
    return well(NAME, `one serves from this data directory; what answers at ${url} is another program`);
  return wrong(
    NAME,
    `it serves at ${url}, and could take no delivery now (/readyz answers 503)`,
    'mend what is wrong with event store, spool or disk here; its log says more, and docs/operating.md, What alarms mean',
  );
};

import type { Trouble } from '../domain/trouble.ts';
import type { ToldState } from './told-state.ts';
import { judged, well, wrong, type DoctorCheck } from './doctor-check.ts';

const NAME = 'ledger';

const READY = 200;
const NOT_READY = 503;

/** Whether a ledger serves from the data directory, and what it told over its socket, or answered at /readyz. */
export type ServingState =
  /** It can't be told whether one serves. */
  | ({ readonly _tag: 'Unknown' } & Trouble)
  | { readonly _tag: 'NoneServes' }
  /** None serves from here; one answers where the configuration says that this one does. */
  | { readonly _tag: 'ServesElsewhere'; readonly url: string; readonly ready: boolean }
  /** One serves, and told how it is. */
  | { readonly _tag: 'Told'; readonly state: ToldState }
  /** One serves; it is not known where it answers. */
  | { readonly _tag: 'NotAsked' }
  /** One serves; nothing answers where it should. */
  | { readonly _tag: 'NothingThere'; readonly url: string }
  /** One serves, and takes longer than this, in ms, to answer: at the address, or, where that is not known, over its socket. */
  | { readonly _tag: 'Silent'; readonly url: string | null; readonly withinMs: number }
  | {
      readonly _tag: 'Answered';
      readonly url: string;
      readonly status: number;
      /** Whether what it answered is what a ledger answers. */
      readonly isLedger: boolean;
      /** Names of the threads that it says don't work. */
      readonly threadsDown: readonly string[];
      /** Whether it says that a page of its events is damaged. */
      readonly eventsDamaged: boolean;
    };

/** Whether a ledger serves, and so takes deliveries and builds read models. */
export const isServing = ({ _tag }: ServingState): boolean =>
  _tag !== 'Unknown' && _tag !== 'NoneServes' && _tag !== 'ServesElsewhere';

const because = (problem: string | null): string => (problem === null ? '' : ` (${problem})`);

const HERE = 'one serves from this data directory';

type Said = Pick<
  Extract<ServingState, { readonly _tag: 'Answered' }>,
  'url' | 'status' | 'threadsDown' | 'eventsDamaged'
>;

const answered = ({ url, status, threadsDown, eventsDamaged }: Said, problem: string | null): DoctorCheck => {
  if (eventsDamaged && (status === READY || status === NOT_READY)) {
    const takes =
      status === READY ? 'takes deliveries of other orders' : `could take no delivery now${because(problem)}`;
    return wrong(
      NAME,
      `it serves at ${url}, and ${takes}; a page of its events is damaged: what needs it is not answered, and the next start is refused`,
      'see to the disk; stop the ledger, keep a copy of events.db and what lies beside it, bring the last backup back with ramp-ledger restore BACKUP --set-aside, start, and ask the provider to send what came since that backup again',
    );
  }
  if (status === READY && threadsDown.length > 0) {
    const threads = threadsDown.map((name) => `"${name}"`).join(', ');
    return wrong(
      NAME,
      `it serves at ${url}, and could take a delivery now; a thread of it is down, or answers nothing: ${threads}`,
      'look for "a thread is down", which says why, or "a thread answers nothing" in its log; if it stays, mend that, or the disk of the read models or the spool: a thread that is down is started again within half a minute, without a restart of the ledger, and one that answers nothing though its disk is well ends with a restart only',
    );
  }
  if (status === READY) return well(NAME, `it serves at ${url}, and could take a delivery now`);
  if (status !== NOT_READY) return well(NAME, `${HERE}; what answers at ${url} is another program`);
  return wrong(
    NAME,
    `it serves at ${url}, and could take no delivery now: each is answered 503${because(problem)}`,
    'mend what is wrong with event store, spool or disk here; its log says more, and docs/operating.md, What alarms mean',
  );
};

const told = ({ url, ready, problem = null, threadsDown, eventsDamaged = false }: ToldState): DoctorCheck =>
  url === null
    ? well(NAME, `${HERE}; it is starting, and does not listen yet`)
    : answered({ url, status: ready ? READY : NOT_READY, threadsDown, eventsDamaged }, problem);

/** A ledger that is stopped is well; one that serves has to be ready. */
export const ledgerCheck = (state: ServingState): DoctorCheck => {
  switch (state._tag) {
    case 'Unknown': {
      const cure = state.cure ?? 'see that DATA_DIR can be read by this user';
      return judged(NAME, '', [{ detail: state.detail, cure }]);
    }
    case 'NoneServes':
      return well(NAME, 'none serves from this data directory');
    case 'ServesElsewhere':
      return state.ready
        ? well(NAME, `none serves from this data directory; the one at ${state.url} serves from another`)
        : wrong(
            NAME,
            `none serves from this data directory, and a ledger at ${state.url} could take no delivery now`,
            'if it is the one of this configuration, its data directory was taken from under it: stop it, put back the folder that was there, or restore a backup, and start it',
          );
    case 'Told':
      return told(state.state);
    case 'NotAsked':
      return well(
        NAME,
        `${HERE}; how it is is not known, since it told nothing over its socket, and PORT does not say where it answers`,
      );
    case 'NothingThere':
      return well(
        NAME,
        `${HERE}; how it is is not known, since it told nothing over its socket, and nothing answers at ${state.url} (HOST, PORT)`,
      );
    case 'Silent':
      return wrong(
        NAME,
        `${HERE}, and ${state.url === null ? 'it' : `${state.url}/readyz`} gives no answer within ${state.withinMs / 1_000} s`,
        'look at its log and at the load of the machine; if it stays silent, restart it: ramp-ledger serve',
      );
    case 'Answered':
  }
  return answered(state, null);
};

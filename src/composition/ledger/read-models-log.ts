import type { Logger } from 'pino';
import type { WitnessState } from '../../proofs/witness/witness-state.ts';
import type { ReadModelsEvents } from '../../threads/threaded-read-models.ts';
import { FailureLines, type StoreAway } from './failure-lines.ts';

/** Parts of a build after which a line says how far it is. */
const SAY_EVERY = 0.1;

/** The log of the read models. */
export type ReadModelsLog = {
  readonly onEvent: ReadModelsEvents;
  /** What happened until now is logged, and from now on at once: a start that is refused says nothing but why. */
  readonly begin: () => void;
};

type Message = Parameters<ReadModelsEvents>[0];

/** Logs what operators should know of the read models and of the tree of the log: builds, damage, failures. */
export const logReadModels = (logger: Logger, storeAway: StoreAway = null): ReadModelsLog => {
  const say = sayTo(logger, storeAway);
  let held: Message[] | null = [];
  return {
    onEvent: (message) => {
      if (held === null) say(message);
      else held.push(message);
    },
    begin: () => {
      for (const message of held ?? []) say(message);
      held = null;
    },
  };
};

const sayTo = (logger: Logger, storeAway: StoreAway): ReadModelsEvents => {
  const isAway = (): boolean => (storeAway?.() ?? null) !== null;
  /** Whether it was said that they serve, in an outage whose end is not told yet. */
  let isSaidInOutage = false;
  let said = 0;
  /** What served last, and as far as what: who fails begins with the same again each second, and has got no further. */
  let serving = '';
  let isFolderLost = false;
  const readModels = new FailureLines(
    {
      error: (failure) =>
        logger.error({ failure }, 'read models fell behind; they try again: run "ramp-ledger doctor"'),
      follows: (failure) => logger.info({ failure }, 'read models wait for the event store'),
    },
    storeAway,
  );
  const tree = new FailureLines(
    {
      error: (failure) =>
        logger.error({ failure }, 'the tree of the log could not be kept; nothing is signed until it can be'),
      follows: (failure) => logger.info({ failure }, 'the tree of the log waits for the event store'),
    },
    storeAway,
  );
  const states = new Map<string, string>();
  /** A line for each change; a witness is asked again and again. */
  const sayWitness = ({ name, state, size, detail }: WitnessState): void => {
    const before = states.get(name);
    states.set(name, state);
    if (before === state) return;
    const about = { witness: name, size, ...(detail === null ? {} : { problem: detail }) };
    if (state === 'refused') {
      logger.error(
        about,
        'a witness refuses to cosign, since it saw another log: run "ramp-ledger verify", and compare with what it keeps',
      );
    }
    if (state === 'failed') logger.warn(about, 'a witness did not cosign a checkpoint; it is asked again');
    if (state === 'cosigned' && before !== undefined) logger.info(about, 'a witness cosigns checkpoints again');
  };
  return (message) => {
    switch (message._tag) {
      case 'Building':
        if (message.share < said + SAY_EVERY) return;
        said = message.share;
        logger.info({ share: Number(said.toFixed(2)), events: message.events }, 'read models are being built');
        return;
      case 'Built':
        said = 0;
        readModels.succeeded();
        logger.info({ events: message.events, orders: message.orders }, 'read models were built');
        return;
      case 'Serving': {
        const its = `${message.stamp} ${message.checkpoint?.position ?? ''}`;
        if (its === serving) return;
        // A store that comes and goes lets them get further each time.
        const isRepeated = isSaidInOutage && isAway();
        isSaidInOutage = isAway();
        serving = its;
        readModels.succeeded();
        if (isRepeated) return;
        logger.info(
          { generation: message.generation, position: message.checkpoint?.position ?? null },
          'read models serve',
        );
        return;
      }
      case 'GoesOn':
        readModels.succeeded();
        return;
      case 'Standing':
        if (message.isOfLog) return;
        logger.warn(
          { position: message.checkpoint?.position ?? null },
          'read models answer as they were left: the event store can not be asked whether they are of its log',
        );
        return;
      case 'OfAnotherLog':
        logger.warn(
          { generation: message.generation, position: message.checkpoint?.position ?? null },
          'the read models were made from another log than this one: they are built anew',
        );
        return;
      case 'Removed':
        logger.warn(
          { generation: message.generation, problem: message.detail },
          'the read models were taken away: they are built anew',
        );
        return;
      case 'FolderLost':
        if (isFolderLost) return;
        isFolderLost = true;
        logger.error(
          { problem: message.detail },
          'the data directory is no longer this ledger’s: nothing more is written, built or signed there; run "ramp-ledger doctor"',
        );
        return;
      case 'Failed':
        readModels.failed(message);
        return;
      case 'LogLost':
        logger.error(
          { loss: message.detail },
          'the log does not contain a checkpoint that was signed: nothing more is signed; run "ramp-ledger verify"',
        );
        return;
      case 'LogKeysGone':
        logger.error(
          { keys: message.keys },
          'keys that signed checkpoints are missing in the file log-keys: run "ramp-ledger doctor"',
        );
        return;
      case 'LogTreeMended':
        logger.warn(
          { pieces: message.pieces },
          'the tree of the log was damaged, and is made right from its events: look at the disk',
        );
        return;
      case 'LogFailed':
        tree.failed(message);
        return;
      case 'LogSigned':
        tree.succeeded();
        return;
      case 'Witnessed':
        sayWitness(message.witness);
        return;
      case 'Unreadable':
        for (const event of message.events) {
          logger.error(event, 'a stored event is damaged; its order is shown without it: run "ramp-ledger verify"');
        }
    }
  };
};

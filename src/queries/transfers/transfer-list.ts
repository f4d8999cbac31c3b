import * as t from 'io-ts';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { parseChainId, parseTxnHash } from '../../domain/transfer.ts';
import { described } from '../../openapi/described.ts';
import type { SeenTransfer, TransfersQuestion } from '../../read-models/bank-questions.ts';
import type { QueryFailure } from '../failure/query-failure.ts';
import type { PersonalData } from '../masking/personal-data.ts';
import { shownText } from '../masking/shown-text.ts';
import {
  cursorParameter,
  limitParameter,
  parameter,
  positionText,
  USUAL_LIMIT,
  type Query,
} from '../parameters/parameters.ts';
import { nextAfter, positionInCursor } from '../parameters/position-cursor.ts';
import { positionParameter, whenIncluded, type Including } from '../parameters/position-parameter.ts';
import type { QueryDependencies } from '../query-dependencies.ts';
import { pageOf } from '../resources/page.ts';
import { count, instant, sha256, text, textOrNull } from '../resources/values.ts';

/** The parameters of the list of transfers. */
export const TRANSFER_LIST_PARAMETERS = {
  chainId: parameter('The chain.', {
    expected: 'the number of a chain',
    schema: { type: 'integer', minimum: 1 },
    read: parseChainId,
  }),
  txnHash: parameter('The hash of the transaction, in any letter case.', {
    expected: 'a hash',
    schema: { type: 'string', minLength: 1, maxLength: 128 },
    read: parseTxnHash,
  }),
  limit: limitParameter,
  cursor: cursorParameter,
  position: positionText,
} as const;

const numberOrNull = (about: string) => described(t.union([t.number, t.null]), about);

const TransferResource = t.strict(
  {
    transferId: sha256('Names the transfer among those of its transaction.'),
    chainId: count('The chain.'),
    txnHash: text('The hash of the transaction.'),
    block: numberOrNull('Its block.'),
    confirmations: numberOrNull('How many blocks confirmed it when it was seen.'),
    status: text('`success`, `failed`, or `dropped`: its block is no part of the chain any more.'),
    token: textOrNull("The token's contract; null for the chain's own coin."),
    from: textOrNull('Who sent.'),
    to: text('Who received.'),
    baseUnits: textOrNull('The amount in base units; null where nothing says how many decimals the token has.'),
    amount: textOrNull('The amount in tokens, where the source gives it so.'),
    observedAt: instant('When it was seen last.'),
    source: text('Where it was seen.'),
  },
  'Transfer',
);

export const TransferPageResource = pageOf(TransferResource, 'TransferPage');

export const TransferImportResource = t.strict(
  {
    transfers: count('How many transfers the file has.'),
    newTransfers: count('How many of them were not known before.'),
    position: textOrNull('What includes this position includes all of them; null where the file has none.'),
  },
  'TransferImport',
);

const transferResource = (transfer: SeenTransfer, personal: PersonalData): t.TypeOf<typeof TransferResource> => ({
  transferId: transfer.transferId,
  chainId: transfer.chainId,
  txnHash: transfer.txnHash,
  block: transfer.block,
  confirmations: transfer.confirmations,
  status: transfer.status,
  token: transfer.token,
  from: transfer.from,
  to: transfer.to,
  baseUnits: transfer.baseUnits,
  amount: transfer.amount,
  observedAt: transfer.observedAt,
  source: shownText(transfer.source, personal),
});

const LIST = 'transfers';

type Deps = Pick<QueryDependencies, 'store' | 'readModels'>;

/** Each filter is a list of its own. */
const listOf = ({ chainId, txnHash }: Pick<TransfersQuestion, 'chainId' | 'txnHash'>): string =>
  JSON.stringify([LIST, chainId, txnHash]);

/** Reads what the list is asked for. */
export const parseTransferList =
  ({ store }: Pick<Deps, 'store'>) =>
  ({
    chainId,
    txnHash,
    limit,
    cursor,
    position,
  }: Query<typeof TRANSFER_LIST_PARAMETERS>): TE.TaskEither<QueryFailure, TransfersQuestion & Including> =>
    pipe(
      positionInCursor(store, cursor, listOf({ chainId, txnHash })),
      TE.bindTo('after'),
      TE.bindW('included', () => positionParameter(store, position)),
      TE.map(({ after, included }) => ({ chainId, txnHash, after, limit: limit ?? USUAL_LIMIT, included })),
    );

/** Transfers as they were seen last, in the order in which they were first seen. */
export const transferList =
  (deps: Deps, personal: PersonalData) =>
  ({
    included,
    ...question
  }: TransfersQuestion & Including): TE.TaskEither<QueryFailure, t.TypeOf<typeof TransferPageResource>> =>
    pipe(
      whenIncluded(deps, included),
      TE.chainW(() => deps.readModels.transfers(question)),
      TE.map(({ data, more }) => ({
        data: data.map((transfer) => transferResource(transfer, personal)),
        next: nextAfter(listOf(question), data.at(-1)?.position, more),
      })),
    );

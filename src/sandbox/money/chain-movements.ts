import type { Random } from '../random.ts';
import { randomTxnHash, randomWallet } from '../random-ids.ts';
import type { MoneyScene } from './bank-entries.ts';
import type { MoneyFault } from './money-fault.ts';
import type { MoneyOrder } from './money-order.ts';

/** What moved on a chain, and what it is for. */
export type ChainMovement = {
  /** Null for a transfer that no order knows. */
  readonly orderId: string | null;
  readonly chainId: number;
  readonly txnHash: string;
  readonly block: number;
  readonly atMs: number;
  readonly succeeded: boolean;
  /** The token's contract; null for the chain's own coin. */
  readonly token: string | null;
  readonly from: string;
  readonly to: string;
  readonly baseUnits: bigint;
};

/** Stands for the chain's own coin, which has no contract. */
const NATIVE_ADDRESS = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee';
/** Of no order of the sandbox's. */
const OTHER_TOKEN = '0x00000000000000000000000000000000000dead1';
/** Where the provider sends tokens from. */
const TREASURY = '0x5a9db00000000000000000000000000000000001';

const FAULTY_ONE_IN = 6;
const UNKNOWN_ONE_IN = 25;
const MS_PER_BLOCK = 2_000;

const FAULTS: readonly MoneyFault[] = ['chain-missing', 'chain-wallet', 'chain-token', 'chain-unit', 'chain-failed'];

const HASH = /^0x[\da-f]{64}$/i;
const ADDRESS = /^0x[\da-f]{40}$/i;

/** The fault of an order on chain; it does not hang on what other orders there are. */
const chainFaultOf = ({ orderId }: MoneyOrder, { random, faults }: MoneyScene): MoneyFault | null => {
  const own = random.derived(`chain/${orderId}/fault`);
  const [first, ...more] = FAULTS.filter((fault) => faults.has(fault));
  return first === undefined || !own.onceIn(FAULTY_ONE_IN) ? null : own.pick([first, ...more]);
};

/** The number of the block of a moment. */
export const blockAt = (epochMs: number): number => Math.floor(epochMs / MS_PER_BLOCK);

const tokenOf = (address: string): string | null => (address.toLowerCase() === NATIVE_ADDRESS ? null : address);

/** Where a fault changes what moved. */
const withFault = (movement: ChainMovement, fault: MoneyFault | null, random: Random): ChainMovement => {
  const changes: Partial<Record<MoneyFault, Partial<ChainMovement>>> = {
    'chain-wallet': { to: randomWallet(random) },
    'chain-token': { token: OTHER_TOKEN },
    'chain-unit': { baseUnits: movement.baseUnits - 1n },
    'chain-failed': { succeeded: false },
  };
  return fault === null ? movement : { ...movement, ...changes[fault] };
};

const ofOrder = (order: MoneyOrder, scene: MoneyScene): readonly ChainMovement[] => {
  const { orderId, chainId, txnHash, wallet, settledAtMs, figures } = order;
  const { baseUnits } = figures;
  const isOfChain = txnHash !== null && HASH.test(txnHash) && ADDRESS.test(wallet);
  if (!isOfChain || settledAtMs === null || baseUnits === null || baseUnits === '0') return [];
  const random = scene.random.derived(`chain/${orderId}/moved`);
  const fault = chainFaultOf(order, scene);
  const moved: ChainMovement = {
    orderId,
    chainId,
    txnHash,
    block: blockAt(settledAtMs),
    atMs: settledAtMs,
    succeeded: true,
    token: tokenOf(figures.address),
    from: TREASURY,
    to: wallet,
    baseUnits: BigInt(baseUnits),
  };
  const isUnknown = scene.faults.has('chain-unknown') && random.onceIn(UNKNOWN_ONE_IN);
  const unknown = { ...moved, orderId: null, txnHash: randomTxnHash(random), to: randomWallet(random) };
  return [...(fault === 'chain-missing' ? [] : [withFault(moved, fault, random)]), ...(isUnknown ? [unknown] : [])];
};

/** All that ever moves on the chains for orders. */
export const chainMovements = (orders: readonly MoneyOrder[], scene: MoneyScene): readonly ChainMovement[] =>
  orders.filter(({ flow }) => flow === 'onramp').flatMap((order) => ofOrder(order, scene));

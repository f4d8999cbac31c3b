import { Big } from 'big.js';
import { branded } from '../domain/brand.ts';
import { parseBaseUnits, type Decimal } from '../domain/decimal.ts';
import type { JsonObject } from '../domain/json.ts';
import { onRampFigures } from './figures.ts';
import { decimalIn, decimalOf, exactNumber, orderBasics, textIn, type OrderRequest } from './order-basics.ts';
import type { Random } from './random.ts';
import { randomTxnHash } from './random-ids.ts';
import type { SandboxOrder } from './sandbox-order.ts';
import { WEI_PLACES } from './token.ts';

/** Behind these a transfer exists, and has a hash (docs/spec/provider.md, On-ramp payload: txnHash). */
const TRANSFERRED: readonly string[] = ['transferred', 'completed'];

const NOTHING = branded<Decimal>('0');

/** A new on-ramp order (docs/spec/provider.md, On-ramp payload), in the order of its table. */
export const onRampOrder = (all: Random, random: Random, request: OrderRequest): SandboxOrder => {
  const { fields } = request;
  const basics = orderBasics(all, random, request);
  const { token, rate, fiat, orderId, customPairs } = basics;
  const hash = textIn(fields, 'txnHash') ?? randomTxnHash(random);
  const amount = new Big(decimalIn(fields, 'transferredAmount') ?? onRampFigures(fiat, rate, token.places).amount);
  const commission = fiat.minus(amount.times(rate));
  const members: JsonObject = {
    fiat: exactNumber(fiat),
    receiverWalletAddress: basics.wallet,
    buyTokenSymbol: token.symbol,
    buyTokenAddress: token.address,
    orderId,
    status: '',
    currency: basics.currency,
    chainId: token.chainId,
    customer: basics.customer,
    txnHash: '',
    transferredAmount: amount.toFixed(),
    transferredAmountWei: amount.times(`1e${WEI_PLACES}`).toFixed(0),
    createdAt: basics.createdAt,
    eventType: 'onramp',
    ...basics.others,
  };
  const ofCompletion = { conversionRate: rate.toFixed(), commission: commission.toFixed() };
  return {
    flow: 'onramp',
    orderId,
    createdAt: textIn(members, 'createdAt') ?? basics.createdAt,
    figures: {
      fiat: decimalIn(members, 'fiat') ?? NOTHING,
      currency: basics.currency.toUpperCase(),
      symbol: textIn(members, 'buyTokenSymbol') ?? '',
      address: textIn(members, 'buyTokenAddress') ?? '',
      chainId: decimalIn(members, 'chainId') ?? NOTHING,
      amount: decimalIn(members, 'transferredAmount') ?? NOTHING,
      baseUnits: parseBaseUnits(textIn(members, 'transferredAmountWei') ?? ''),
      conversionRate: decimalOf(rate),
      commission: decimalOf(commission),
      tds: null,
    },
    payload: ({ status }) => ({
      ...members,
      status,
      txnHash: TRANSFERRED.includes(status) ? hash : '',
      metaData: status === 'completed' ? { ...customPairs, ...ofCompletion } : customPairs,
    }),
  };
};

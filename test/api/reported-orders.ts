import type { JsonObject } from '../../src/domain/json.ts';
import { onRamp } from '../support/payloads.ts';

/** On-ramp orders on two business days; the second begins at 18:30 UTC. */
export const reportedOrders = (): readonly JsonObject[] => [
  onRamp({
    orderId: 'a',
    status: 'completed',
    fiat: 100,
    createdAt: '2023-02-28T18:29:59.999Z',
    transferredAmount: '0.50',
    transferredAmountWei: '500000000000000000',
    metaData: { conversionRate: '90.2', commission: '-1.50' },
    updated_at: '2023-03-31T18:30:00.000Z',
  }),
  onRamp({
    orderId: 'b',
    status: 'completed',
    fiat: 50.25,
    createdAt: '2023-02-28T18:30:00.000Z',
    buyTokenSymbol: 'USDT',
    buyTokenAddress: '0xDAC1',
    chainId: 137,
    transferredAmount: '1',
    transferredAmountWei: '12345678901234567890123',
    metaData: {},
  }),
  onRamp({ orderId: 'c', status: 'expired', fiat: 7, createdAt: '2023-03-01T06:00:00.000Z' }),
  onRamp({ orderId: 'd', status: 'onHold', fiat: 1, currency: 'USD' }),
];

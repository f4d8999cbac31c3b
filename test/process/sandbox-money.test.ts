import { expectMoneyAgrees } from './sandbox-money-agrees.ts';

describe('bank files and chains of the sandbox', () => {
  it('are matched as it expects to the item, each currency in its own format', async () => {
    await expectMoneyAgrees({ seed: 'one', orders: 160, span: 'month', format: null, store: 'sqlite' });
  }).timeout(60_000);
});

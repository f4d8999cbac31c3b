import { expectMoneyAgrees } from './sandbox-money-agrees.ts';

describe('bank files and chains of the sandbox', () => {
  it('are matched as it expects to the item, each currency in its own format', async () => {
    await expectMoneyAgrees({ seed: 'one', orders: 160, span: 'month', format: null, store: 'sqlite' });
  }).timeout(60_000);

  it('are matched as it expects on EventStoreDB too, in MT940', async () => {
    await expectMoneyAgrees({ seed: 'two', orders: 80, span: 'month', format: 'mt940', store: 'eventstoredb' });
  }).timeout(60_000);
});

import { expectMoneyAgrees } from '../process/sandbox-money-agrees.ts';
import { BANK_FORMATS } from '../../src/sandbox/money/bank-file.ts';

describe('bank files and chains of many sandboxes', () => {
  for (const format of BANK_FORMATS)
    for (const seed of ['a', 'b', 'c'])
      it(`are matched as expected to the item, a file of ${format} a day, seed ${seed}`, async () => {
        await expectMoneyAgrees({ seed, orders: 300, span: 'day', format, store: 'sqlite' });
      });

  it('are matched as expected on EventStoreDB too', async () => {
    await expectMoneyAgrees({ seed: 'two', orders: 80, span: 'month', format: 'mt940', store: 'eventstoredb' });
  });
});

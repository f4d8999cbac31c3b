import { killedUnderLoad } from './killed-under-load.ts';

describe('a ledger that is killed', () => {
  killedUnderLoad(1);
});

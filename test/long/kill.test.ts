import { killedUnderLoad } from '../process/killed-under-load.ts';

describe('a ledger that is killed again and again', () => {
  killedUnderLoad(8);
});

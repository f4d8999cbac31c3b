import { toldToStop } from './told-to-stop.ts';

describe('a ledger that is told to stop', () => {
  toldToStop(['SIGINT', 'SIGINT']);
});

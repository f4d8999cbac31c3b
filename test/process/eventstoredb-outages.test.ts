import { throughOutages } from './through-outages.ts';

describe('a ledger on EventStoreDB through some outages', () => {
  throughOutages({ drawn: 20, besides: [], kills: 1 });
});

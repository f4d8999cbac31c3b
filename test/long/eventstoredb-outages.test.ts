import { OUTAGES } from '../process/outages.ts';
import { throughOutages } from '../process/through-outages.ts';

describe('a ledger on EventStoreDB through hundreds of outages, each kind among them', () => {
  throughOutages({ drawn: 220, besides: OUTAGES, kills: 3 });
});

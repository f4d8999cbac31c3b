import { EACH_FAULT, sandboxAgrees } from '../process/sandbox-agrees.ts';

describe('the sandbox and the ledger, by many runs and each fault by itself', () => {
  sandboxAgrees({ seeds: ['2', '3', '4', '5'], faults: EACH_FAULT });
});

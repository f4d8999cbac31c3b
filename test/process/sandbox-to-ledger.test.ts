import { sandboxAgrees } from './sandbox-agrees.ts';

describe('the sandbox and the ledger', () => {
  sandboxAgrees({ seeds: ['1'], faults: new Set() });
});

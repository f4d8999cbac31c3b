import { killedReadModels } from './killed-read-models.ts';

describe('read models, when a process is killed', () => {
  killedReadModels({ orders: 300, atBytes: [100_000] });
});

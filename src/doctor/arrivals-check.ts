import { countsSince, parted, type ArrivalsSeen } from '../arrivals/arrivals-seen.ts';
import { refusalHints } from '../arrivals/refusal-hints.ts';
import { epochMsOf, type Instant } from '../domain/instant.ts';
import { well, wrong, type DoctorCheck } from './doctor-check.ts';
import { counted } from './figures-as-text.ts';

const NAME = 'deliveries';

const HOUR = 3_600_000;

/** So many refused in an hour, and none accepted, are no scanner's. */
const MANY = 10;

/**
 * What arrived in the last day, what waits in quarantine, and whether everything is refused.
 *
 * @param seen null where a ledger serves that did not tell: its file may be of long ago
 */
export const arrivalsCheck = (seen: ArrivalsSeen | null, quarantined: number | null, now: Instant): DoctorCheck => {
  const waiting =
    quarantined === null || quarantined === 0
      ? []
      : [`${counted(quarantined, 'delivery', 'deliveries')} in quarantine: ramp-ledger quarantine list`];
  if (seen === null) {
    return well(NAME, ['what arrived is not known: the ledger that serves did not tell', ...waiting].join('; '));
  }
  const nowMs = epochMsOf(now);
  const counts = countsSince(seen, nowMs - 24 * HOUR);
  const { accepted, refused } = parted(counts);
  const codes = Object.entries(counts)
    .filter(([outcome]) => parted({ [outcome]: 1 }).refused > 0)
    .map(([code, count]) => `${count} ${code}`);
  const lines = [
    `${accepted} accepted and ${refused} refused in the last day${codes.length === 0 ? '' : ` (${codes.join(', ')})`}`,
    ...waiting,
  ];
  const detail = lines.join('; ');
  const lastHour = parted(countsSince(seen, nowMs - HOUR));
  if (lastHour.accepted > 0 || lastHour.refused < MANY) return well(NAME, detail);
  const hints = refusalHints(seen, nowMs).map(({ about, hint }) => `${about}: ${hint}`);
  return wrong(NAME, `all ${lastHour.refused} of the last hour were refused; ${detail}`, hints.join('\n'));
};

import { parseAnyMetadata } from '../domain/any-metadata.ts';
import { epochMsOf, type Instant } from '../domain/instant.ts';
import { judged, type DoctorCheck, type Finding } from './doctor-check.ts';
import type { ExaminedLog } from './examined-log.ts';
import { spanText } from './figures-as-text.ts';
import type { ProviderTime } from './upstream-check.ts';

const NAME = 'clock';

/** What clocks that are set by a time server differ by, and much more. */
const TOLERATED_MS = 5_000;
/** Tokens tell whole seconds, and one may have been kept for a while. */
const TOLERATED_OF_PROVIDER_MS = 60_000;

const CURE =
  'set the clock of this machine by a time server (timedatectl set-ntp true), and that of the event store where EVENT_STORE_URL names another machine';

const storeTrouble = (log: ExaminedLog, now: Instant): readonly Finding[] => {
  const last = log._tag === 'Read' ? log.newest[0] : undefined;
  if (last === undefined) return [];
  const receivedAt = parseAnyMetadata(last.metadata)?.receivedAt ?? null;
  const latest = Math.max(epochMsOf(last.recordedAt), receivedAt === null ? 0 : epochMsOf(receivedAt));
  const ahead = latest - epochMsOf(now);
  const early = receivedAt === null ? 0 : epochMsOf(receivedAt) - epochMsOf(last.recordedAt);
  return [
    ...(ahead > TOLERATED_MS ? [{ detail: `the last event is of ${spanText(ahead)} from now`, cure: CURE }] : []),
    ...(early > TOLERATED_MS
      ? [{ detail: `the last event was recorded ${spanText(early)} before it was received`, cure: CURE }]
      : []),
  ];
};

const providerTrouble = (time: ProviderTime | null): readonly Finding[] => {
  const off = time === null ? 0 : time.seenAtMs - time.issuedAtMs;
  return Math.abs(off) <= TOLERATED_OF_PROVIDER_MS
    ? []
    : [
        {
          detail: `it is ${spanText(Math.abs(off))} ${off > 0 ? 'ahead of' : 'behind'} that of the provider`,
          cure: CURE,
        },
      ];
};

/** This machine's clock beside the log's and the provider's: what else there is to compare it with. */
export const clockCheck = (now: Instant, log: ExaminedLog, provider: ProviderTime | null): DoctorCheck =>
  judged(NAME, `it is ${now} here`, [...storeTrouble(log, now), ...providerTrouble(provider)]);

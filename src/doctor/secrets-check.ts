import type { Config, Secrets } from '../config/config.ts';
import { isLoopback } from '../config/loopback.ts';
import type { SecretId } from '../domain/ids.ts';
import { epochMsOf, type Instant } from '../domain/instant.ts';
import { judged, well, wrong, type DoctorCheck, type Finding } from './doctor-check.ts';
import type { ExaminedLog } from './examined-log.ts';
import { counted, spanText } from './figures-as-text.ts';
import { exchangedSecret, lostSecret, secretUses } from './secret-uses.ts';

const WEBHOOK = 'webhook secrets';
const KEYS = 'API keys';

/** A secret that nothing was signed with for so long, while others were used, is one too many. */
const IDLE_MS = 30 * 86_400_000;

const useText = (log: ExaminedLog, used: Instant | undefined, now: Instant): string => {
  if (used !== undefined) return `last used ${spanText(Math.max(0, epochMsOf(now) - epochMsOf(used)))} ago`;
  if (log._tag !== 'Read') return log._tag === 'Away' ? 'last use unknown without the event store' : 'never used';
  return log.isWhole ? 'never used' : `not used for the last ${counted(log.newest.length, 'event')}`;
};

const START_REFUSED = 'and HOST is not a loopback address: a start is refused';

/** Which secrets are accepted, and when each was last used; never what they are. */
export const webhookSecretsCheck = (
  { host, secrets }: Pick<Config, 'host' | 'secrets'>,
  log: ExaminedLog,
  now: Instant,
): DoctorCheck => {
  const { active, retired } = secrets.webhook;
  const uses = secretUses(log);
  const configured = new Set([...active, ...retired].map(({ id }) => id));
  const unknown = [...uses.keys()].filter((id) => !configured.has(id));
  const lines = [
    ...active.map(({ id }) => `${id}: accepted, ${useText(log, uses.get(id), now)}`),
    ...retired.map(({ id }) => `${id}: retired, ${useText(log, uses.get(id), now)}`),
    ...unknown.map(
      (id) =>
        `${id}: not configured, ${useText(log, uses.get(id), now)}; WEBHOOK_RETIRED_SECRETS would prove its events`,
    ),
  ];
  const exchanged = (log._tag === 'Read' ? (log.unproven ?? []) : []).map(exchangedSecret);
  const lost = lostSecret(secrets.webhook, uses);
  if (active.length === 0) {
    if (isLoopback(host) && lost !== null) return wrong(WEBHOOK, [lost.detail, ...lines].join('\n'), lost.cure);
    return isLoopback(host)
      ? judged(WEBHOOK, [...lines, 'none accepted yet; the first start generates one'].join('\n'), exchanged)
      : wrong(
          WEBHOOK,
          [`none is accepted, ${START_REFUSED}`, ...lines].join('\n'),
          'set WEBHOOK_SECRETS or WEBHOOK_SECRETS_FILE',
        );
  }
  const isIdle = (id: SecretId): boolean => {
    const used = uses.get(id);
    return used === undefined || epochMsOf(now) - epochMsOf(used) > IDLE_MS;
  };
  const inUse = [...uses.keys()].some((id) => !isIdle(id));
  const idle: readonly Finding[] = active
    // One that was never used may be about to be: a change of secrets begins with it.
    .filter(({ id }) => inUse && uses.has(id) && isIdle(id))
    .map(({ id }) => ({
      detail: `${id} is accepted, and nothing is signed with it any more`,
      cure: `if the provider uses it no more, move ${id} from WEBHOOK_SECRETS to WEBHOOK_RETIRED_SECRETS`,
    }));
  return judged(WEBHOOK, lines.join('\n'), [...exchanged, ...idle]);
};

/** Which keys there are, and what each may do; never what they are. */
export const apiKeysCheck = (host: string, { apiKeys }: Secrets): DoctorCheck => {
  const lines = apiKeys.map(({ id, scopes }) => `${id}: ${[...scopes].join(', ')}`);
  if (apiKeys.length > 0) return well(KEYS, lines.join('\n'));
  return isLoopback(host)
    ? well(KEYS, 'none yet; the first start generates one')
    : wrong(KEYS, `there is none, ${START_REFUSED}`, 'set API_KEYS or API_KEYS_FILE');
};

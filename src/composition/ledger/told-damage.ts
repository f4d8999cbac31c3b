import type { Logger } from 'pino';
import { LOOK_EVERY_MS } from '../../concurrency/silence.ts';
import type { MetDamage } from '../../event-store/sqlite/met-damage.ts';

/** What looks for damage ends with this. */
export type DamageWatch = { readonly stop: () => void };

/** Logs that a thread met a damaged page of the events: once, however many questions meet it. */
export const logDamage = (
  met: Pick<MetDamage, 'isMet'>,
  logger: Pick<Logger, 'error'>,
  everyMs = LOOK_EVERY_MS,
): DamageWatch => {
  const looking = setInterval(() => {
    if (!met.isMet()) return;
    clearInterval(looking);
    logger.error(
      'a page of the events is damaged: what needs it is not answered, and the next start is refused: run "ramp-ledger doctor"',
    );
  }, everyMs).unref();
  return { stop: () => clearInterval(looking) };
};

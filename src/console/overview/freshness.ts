import { epochMsOf, type Instant } from '../../domain/instant.ts';
import { durationText } from '../duration-text.ts';
import type { LedgerHealth } from '../health/ledger-health.ts';
import { html, type Html } from '../html.ts';

const SECOND = 1_000;

const readModelsText = ({ generation, building, lagSeconds }: LedgerHealth['readModels']): string => {
  if (generation === null) {
    return building === null
      ? 'Lists and reports are not ready yet'
      : `Lists and reports are being built: ${Math.floor(building * 100)} %`;
  }
  if (lagSeconds === null) return 'It is not known now how far lists and reports are';
  return lagSeconds < 1 ? 'Up to date' : `${durationText(lagSeconds * SECOND)} behind`;
};

const spoolText = ({ spool }: LedgerHealth, now: Instant): string => {
  if (spool?.isCounting === true) return 'webhooks that wait for the event store are being counted';
  if (spool === null || spool.depth === 0) return 'no webhook is waiting';
  const { depth, oldestReceivedAt } = spool;
  const age =
    oldestReceivedAt === null ? '' : `, the oldest for ${durationText(epochMsOf(now) - epochMsOf(oldestReceivedAt))}`;
  return `${depth} ${depth === 1 ? 'webhook waits' : 'webhooks wait'} for the event store${age}`;
};

const isWell = ({ deliveries, spool, readModels }: LedgerHealth): boolean =>
  deliveries.ready &&
  (spool === null || (spool.depth === 0 && !spool.isCounting)) &&
  readModels.lagSeconds !== null &&
  readModels.lagSeconds < 60;

/** How far the figures of a page are to be trusted: what they lack, and what has not even been recorded. */
export const freshness = (health: LedgerHealth, now: Instant): Html => html`
  <p class="freshness ${isWell(health) ? 'well' : 'watch'}">
    <span class="dot" aria-hidden="true"></span>
    <span
      >${health.deliveries.ready ? '' : 'Webhooks are refused · '}${readModelsText(health.readModels)} ·
      ${spoolText(health, now)}</span
    >
    <a href="/console/health">Health</a>
  </p>
`;

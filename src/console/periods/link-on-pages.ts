import type { ConsoleQuestion } from '../console-question.ts';
import { PERIODS_PATH } from './period-path.ts';

/** Lists of the interface, each with the page that shows the same, by the same parameters, and who may see it. */
const PAGES = [
  { api: '/v1/orders', page: '/console/orders', scope: 'orders:read' },
  { api: '/v1/quarantine', page: '/console/quarantine', scope: 'audit:read' },
  { api: '/v1/reconciliation/items', page: '/console/reconciliation', scope: 'reports:read' },
  { api: '/v1/periods', page: PERIODS_PATH, scope: 'reports:read' },
] as const;

/** The page that shows what a link of the interface lists; null where there is none, or for somebody who may not see it. */
export const linkOnPages = (link: string | null, { session }: Pick<ConsoleQuestion, 'session'>): string | null => {
  if (link === null) return null;
  const [path = '', query] = link.split('?');
  const found = PAGES.find(({ api }) => api === path);
  if (found === undefined || !session.key.scopes.has(found.scope)) return null;
  return query === undefined ? found.page : `${found.page}?${query}`;
};

import { pathOfTarget } from './request-target.ts';

/** Where deliveries come to (docs/spec/receiving.md). */
export const DELIVERIES_PATH = '/v1/webhooks';

/** Whether the router takes a path with its query for that address: in any letter case, with a slash behind it or without. */
const isSpelledSo = (path: string): boolean => {
  const query = path.indexOf('?');
  const end = query === -1 ? path.length : query;
  if (end !== DELIVERIES_PATH.length && end !== DELIVERIES_PATH.length + 1) return false;
  return (
    path.slice(0, DELIVERIES_PATH.length).toLowerCase() === DELIVERIES_PATH &&
    '/?'.includes(path.charAt(DELIVERIES_PATH.length))
  );
};

/** Whether a target, as it came, is that of deliveries in any spelling that these are taken in. */
export const isForDeliveries = (target: string): boolean => {
  if (target === DELIVERIES_PATH) return true;
  return target.startsWith('/') ? isSpelledSo(target) : isSpelledSo(pathOfTarget(target) ?? '');
};

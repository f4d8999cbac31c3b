import { taskEither as TE } from 'fp-ts';
import type { ReadModels, ReadModelsUnavailable } from '../read-models/read-models.ts';

const notOpen = TE.left<ReadModelsUnavailable>({ _tag: 'ReadModelsUnavailable', detail: 'they are not open' });

/** Read models that answer nothing: with them a question fails as it stands, if it is ill-formed, before anything is built. */
export const unopenedReadModels: Omit<ReadModels, 'close'> = {
  includes: () => notOpen,
  orders: () => notOpen,
  ordersWithUtr: () => notOpen,
  report: () => notOpen,
  auditPositions: () => notOpen,
  quarantine: () => notOpen,
  quarantined: () => notOpen,
  quarantinedOf: () => notOpen,
  tallies: () => notOpen,
  progress: () => ({ checkpoint: null, building: null }),
};

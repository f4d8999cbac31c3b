import type { Trouble } from '../../domain/trouble.ts';

/** Why a store could not be opened, and what to do about it. `DataDirUnusable` is a wrong configuration. */
export type OpenError = Trouble & {
  readonly _tag:
    | 'StoreInUse'
    | 'StoreDamaged'
    | 'StoreOfNewerSchema'
    | 'StoreNotALedger'
    | 'StoreUnusable'
    | 'DataDirUnusable';
};

export const openError = (_tag: OpenError['_tag'], detail: string, cure: string | null = null): OpenError => ({
  _tag,
  detail,
  cure,
});

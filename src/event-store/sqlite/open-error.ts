import type { Trouble } from '../../domain/trouble.ts';

/**
 * Why a store could not be opened, and what to do about it. Wrong configuration are `DataDirUnusable`, `StoreNotALedger`, and
 * `StoreMisplaced`: nothing can be opened at the place that is named.
 */
export type OpenError = Trouble & {
  readonly _tag:
    | 'StoreInUse'
    | 'StoreDamaged'
    | 'StoreOfNewerSchema'
    | 'StoreNotALedger'
    | 'StoreMisplaced'
    | 'StoreUnusable'
    | 'DataDirUnusable';
};

export const openError = (_tag: OpenError['_tag'], detail: string, cure: string | null = null): OpenError => ({
  _tag,
  detail,
  cure,
});

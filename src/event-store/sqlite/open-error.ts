/** Why a store could not be opened: one line for the operator, which says what to do. `DataDirUnusable` is a wrong configuration. */
export type OpenError = {
  readonly _tag:
    'StoreInUse' | 'StoreDamaged' | 'StoreOfNewerSchema' | 'StoreNotALedger' | 'StoreUnusable' | 'DataDirUnusable';
  readonly detail: string;
};

export const openError = (_tag: OpenError['_tag'], detail: string): OpenError => ({ _tag, detail });

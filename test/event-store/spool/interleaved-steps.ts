import * as fc from 'fast-check';

/** The keys of deliveries. */
export const KEYS = ['a', 'b', 'c'] as const;
/** What is done to a spool, or happens to it. */
export type Step =
  | { readonly step: 'put' | 'putAside' | 'done' | 'setAside' | 'take' | 'byHand'; readonly key: (typeof KEYS)[number] }
  | { readonly step: 'answer' | 'die'; readonly count: number }
  | { readonly step: 'fail'; readonly fate: 'written' | 'not written' }
  | { readonly step: 'noRoom' | 'turns' | 'hang' | 'mend' | 'settle' | 'restart' | 'busy' }
  | { readonly step: 'seconds'; readonly count: number };

const ofKey = <S extends string>(...names: readonly S[]) =>
  fc.record({ step: fc.constantFrom(...names), key: fc.constantFrom(...KEYS) });

/** Steps in any order. */
export const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: ofKey('put') },
    { weight: 2, arbitrary: ofKey('putAside', 'setAside') },
    { weight: 1, arbitrary: ofKey('byHand') },
    { weight: 3, arbitrary: ofKey('take') },
    { weight: 7, arbitrary: ofKey('done') },
    {
      weight: 8,
      arbitrary: fc.record({ step: fc.constant('answer' as const), count: fc.integer({ min: 1, max: 4 }) }),
    },
    {
      weight: 8,
      arbitrary: fc.record({ step: fc.constantFrom('turns' as const, 'mend' as const, 'settle' as const) }),
    },
    { weight: 1, arbitrary: fc.record({ step: fc.constant('die' as const), count: fc.nat(3) }) },
    {
      weight: 1,
      arbitrary: fc.record({
        step: fc.constant('fail' as const),
        fate: fc.constantFrom('written' as const, 'not written' as const),
      }),
    },
    { weight: 1, arbitrary: fc.record({ step: fc.constantFrom('noRoom' as const, 'hang' as const, 'busy' as const) }) },
    { weight: 2, arbitrary: fc.record({ step: fc.constant('restart' as const) }) },
    {
      weight: 2,
      arbitrary: fc.record({ step: fc.constant('seconds' as const), count: fc.integer({ min: 1, max: 2 }) }),
    },
  ),
  { minLength: 40, maxLength: 120, size: 'max' },
);

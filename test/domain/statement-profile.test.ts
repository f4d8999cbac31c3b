import { expect } from 'chai';
import * as fc from 'fast-check';
import { branded } from '../../src/domain/brand.ts';
import { ownEvent, readOwnEvent } from '../../src/domain/own-event/own-event.ts';
import { STATEMENT_PROFILE_SET } from '../../src/domain/own-event/profile-events.ts';
import type { ProfileName, StatementProfile } from '../../src/domain/statement-profile.ts';
import { isWrongProfile, parseProfile } from '../../src/statements/table/parse-profile.ts';
import { AUTHOR } from '../support/bank-imports.ts';
import { recordedEvent } from '../support/recorded-event.ts';
import { right } from '../support/right.ts';

const columns = fc.stringMatching(/^[A-Za-z/ .]{0,12}[A-Za-z]$/);
const perhaps = fc.option(columns);
const lists = fc.array(columns, { maxLength: 4 });

/** Profiles as they were kept before there were columns of directions. */
const former = fc.record({
  date: columns,
  dateFormat: fc.constantFrom('dd/mm/yyyy', 'yyyy-mm-dd'),
  amount: fc.oneof(
    columns.map((name) => name.trim()),
    fc.record({ credit: columns, debit: columns }),
  ),
  currency: perhaps,
  valueDate: perhaps,
  account: perhaps,
  reference: lists,
  text: lists,
  decimal: fc.constantFrom('.' as const, ',' as const, null),
  delimiter: fc.constantFrom(';', null),
  skipRows: fc.nat({ max: 1_000 }),
});

const NAME = branded<ProfileName>('bank');

/** A profile as it is read from the event that keeps it. */
const kept = (profile: StatementProfile): unknown => {
  const event = recordedEvent(ownEvent(STATEMENT_PROFILE_SET, { name: NAME, profile, before: 0 }, AUTHOR));
  const read = right(readOwnEvent(event));
  return read._tag === 'StatementProfileSet' ? read.data.profile : null;
};

describe('a profile of tables', () => {
  it('is read as it was kept, with a column of directions and without one', () => {
    fc.assert(
      fc.property(former, columns, (profile, direction) => {
        expect(kept(profile)).to.deep.equal(profile);
        const directed = { ...profile, direction };
        expect(kept(directed)).to.deep.equal(directed);
      }),
    );
  });

  it('that says nothing of directions is kept in the same bytes as before there were any', () => {
    fc.assert(
      fc.property(former, (profile) => {
        for (const sent of [profile, { ...profile, direction: null }]) {
          const parsed = parseProfile(sent);
          expect(isWrongProfile(parsed)).to.equal(false);
          expect(JSON.stringify(parsed)).to.equal(JSON.stringify(profile));
        }
      }),
    );
  });

  it('is none where its column of directions is no text', () => {
    const [profile] = fc.sample(former, 1);
    const event = ownEvent(STATEMENT_PROFILE_SET, { name: NAME, profile: profile ?? expect.fail(), before: 0 }, AUTHOR);
    const recorded = recordedEvent(event);
    const data = recorded.data.replace('"dateFormat"', '"direction":7,"dateFormat"');
    expect(readOwnEvent({ ...recorded, data })).to.have.property('_tag', 'Left');
  });
});

import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { branded } from '../../../src/domain/brand.ts';
import { ownStream, type RequestId } from '../../../src/domain/ids.ts';
import type { ProfileName } from '../../../src/domain/statement-profile.ts';
import { profileNamed, setProfile } from '../../../src/queries/statements/profiles.ts';
import { isWrongProfile, parseProfile } from '../../../src/statements/table/parse-profile.ts';
import { right } from '../../support/right.ts';
import { NOW, routeDependencies } from '../../support/route-dependencies.ts';
import { anEvent } from '../../support/stored-events.ts';

const AUTHOR = { by: 'finance', at: NOW, requestId: branded<RequestId>('request-1') };
const NAME = branded<ProfileName>('bank');

const profileOf = (date: string) => {
  const profile = parseProfile({ date, dateFormat: 'dd/mm/yyyy', amount: 'Amount' });
  return isWrongProfile(profile) ? expect.fail(profile.detail) : profile;
};

describe('a profile that was set many times', () => {
  it('is read and set again by the newest one alone', async () => {
    const { store } = routeDependencies();
    const alone = { ...store, readStream: () => expect.fail('all of the stream was read') };
    const set = async (date: string) => right(await setProfile({ store: alone }, NAME, profileOf(date), AUTHOR)());
    expect(E.isLeft(await profileNamed({ store: alone }, NAME)())).to.equal(true);
    const positions = [];
    for (const date of ['A', 'B', 'B', 'A']) positions.push((await set(date)).position);
    expect(right(await profileNamed({ store: alone }, NAME)())).to.deep.equal(profileOf('A'));
    const events = right(await store.readStream(ownStream('profile', NAME))());
    const [first, second, third] = events.map(({ position }) => position);
    expect(positions).to.deep.equal([first, second, second, third]);
    expect(events.map(({ data }) => /"before":(\d+)/.exec(data)?.[1])).to.deep.equal(['0', '1', '2']);
  });

  it('is the newest that can be read, and is set behind one that can not', async () => {
    const { store } = routeDependencies();
    right(await setProfile({ store }, NAME, profileOf('A'), AUTHOR)());
    right(await store.append(ownStream('profile', NAME), branded(0), [anEvent({ type: 'StatementProfileSet' })])());
    expect(right(await profileNamed({ store }, NAME)())).to.deep.equal(profileOf('A'));
    right(await setProfile({ store }, NAME, profileOf('A'), AUTHOR)());
    expect(right(await store.readStream(ownStream('profile', NAME))())).to.have.length(3);
  });
});

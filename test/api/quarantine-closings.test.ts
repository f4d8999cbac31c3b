import { expect } from 'chai';
import { ownStream } from '../../src/domain/ids.ts';
import { sha256 } from '../../src/domain/sha256.ts';
import { expectScopes, listOf, refusalOf } from '../support/asking.ts';
import { cutOffStore } from '../support/cut-off-store.ts';
import { askForRelease, expectReleased, orderEvents, release, scene } from '../support/quarantine-scene.ts';
import { NOW } from '../support/route-dependencies.ts';
import { right } from '../support/right.ts';
import { LIST, quarantineRoutes, READ, UNKNOWN, WRITE } from './quarantine-routes-scene.ts';

describe('closings of quarantined deliveries', () => {
  const { api, give, idOf, asked } = quarantineRoutes();

  const post = (eventId: string, deed: 'close' | 'reopen', body: unknown, scopes = WRITE): Promise<Response> =>
    api().ask(`${LIST}/${eventId}/${deed}`, scopes, { method: 'POST', body: JSON.stringify(body) });

  const done = async (eventId: string, deed: 'close' | 'reopen', note: string): Promise<unknown> => {
    const response = await post(eventId, deed, { note });
    const text = await response.text();
    expect(response.status, text).to.equal(200);
    return JSON.parse(text);
  };

  const refused = async (eventId: string, deed: 'close' | 'reopen', body: unknown): Promise<string> =>
    (await refusalOf(api(), `${LIST}/${eventId}/${deed}`, WRITE, { method: 'POST', body: JSON.stringify(body) })).is;

  const listed = async (state: string): Promise<readonly unknown[]> =>
    (await listOf(api(), `${LIST}?state=${state}`, READ)).data.map(({ eventId }) => eventId);

  const CLOSED = { at: NOW, by: WRITE, note: 'a test of theirs' };

  it('takes a delivery off the open ones, with a note, until it is opened again', async () => {
    const [one, other] = [await give('junk'), await give('more junk')];
    expect(await done(one, 'close', ' a test of theirs\n')).to.deep.equal({
      eventId: one,
      closed: CLOSED,
      position: '2',
    });
    const [row] = (await listOf(api(), `${LIST}?position=2`, READ)).data;
    expect(row).to.include({ eventId: one, state: 'closed', releasedAs: null });
    expect(row?.['closed']).to.deep.equal(CLOSED);
    expect([await listed('open'), await listed('closed'), await listed('released')]).to.deep.equal([
      [other],
      [one],
      [],
    ]);
    expect(right(await api().readModels.tallies(NOW)()).quarantined).to.equal(1);
    expect(await done(one, 'reopen', 'an order after all')).to.deep.equal({
      eventId: one,
      closed: null,
      position: '3',
    });
    expect([await listed('open'), await listed('closed')]).to.deep.equal([[one, other], []]);
    expect(await done(one, 'close', 'a test of theirs')).to.deep.include({ closed: CLOSED, position: '4' });
    expect(
      api()
        .store.recorded()
        .map(({ type, stream }) => `${type} ${stream.split('-')[0]}`),
    ).to.deep.equal([
      'DeliveryQuarantined quarantine',
      'DeliveryQuarantined quarantine',
      'QuarantineClosed closure',
      'QuarantineReopened closure',
      'QuarantineClosed closure',
    ]);
  });

  it('shows no e-mail address of its note to who may not read personal data', async () => {
    const id = await give('junk');
    await done(id, 'close', 'a.person@example.com knows');
    const notes = await Promise.all(
      [READ, `${READ}+pii:read`].map(async (scopes) => (await listOf(api(), LIST, scopes)).data[0]?.['closed']),
    );
    expect(notes).to.deep.equal([
      { ...CLOSED, note: 'a***@example.com knows' },
      { ...CLOSED, note: 'a.person@example.com knows' },
    ]);
  });

  it('answers the same again, and refuses another note', async () => {
    const id = await give('junk');
    expect(await refused(id, 'reopen', { note: 'x' })).to.equal('409 not-closed');
    const first = await done(id, 'close', 'a test of theirs');
    expect(await done(id, 'close', 'a test of theirs')).to.deep.equal(first);
    expect(await refused(id, 'close', { note: 'another' })).to.equal('409 already-closed');
    const open = await done(id, 'reopen', 'x');
    expect(await done(id, 'reopen', 'x')).to.deep.equal(open);
    expect(await refused(id, 'reopen', { note: 'y' })).to.equal('409 not-closed');
  });

  it('tells a key that did not write its note nothing of a guess, right or wrong', async () => {
    const id = await give('junk');
    const other = `audit:read+${WRITE}`;
    const guessed = async (deed: 'close' | 'reopen'): Promise<readonly string[]> =>
      Promise.all(
        ['a.person@example.com knows', 'another'].map(async (note) => {
          const asking = { method: 'POST', body: JSON.stringify({ note }) };
          return (await refusalOf(api(), `${LIST}/${id}/${deed}`, other, asking)).is;
        }),
      );
    await done(id, 'close', 'a.person@example.com knows');
    expect(await guessed('close')).to.deep.equal(['409 already-closed', '409 already-closed']);
    await done(id, 'reopen', 'a.person@example.com knows');
    expect(await guessed('reopen')).to.deep.equal(['409 not-closed', '409 not-closed']);
  });

  it('is kept once, whoever closes it at the same time', async () => {
    const id = await give('junk');
    const answers = await Promise.all(['a', 'b', 'c', 'd'].map((note) => post(id, 'close', { note })));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).to.deep.equal([200, 409, 409, 409]);
    expect(api().store.recorded()).to.have.length(2);
  });

  it('does not stand in the way of a release, and is none of a released one', async () => {
    const { body } = await scene(api().store, 'recorded');
    const id = await idOf(body);
    await done(id, 'close', 'a test of theirs');
    expect((await asked(id)).text).to.include('"outcome":"recorded"');
    expect(await listed('released')).to.deep.equal([id]);
    expect(await refused(id, 'reopen', { note: 'x' })).to.equal('409 already-released');
    expect(await refused(id, 'close', { note: 'x' })).to.equal('409 already-released');
  });

  it('finishes a release that was cut off, and is refused: the order has the delivery already', async () => {
    const { orderId, body } = await scene(api().store, 'recorded');
    const id = await idOf(body);
    await askForRelease(cutOffStore(api().store, 2, 'before'), body);
    expect(await listed('released')).to.deep.equal([]);
    expect(await refused(id, 'close', { note: 'x' })).to.equal('409 already-released');
    expect(await listed('released')).to.deep.equal([id]);
    expect(right(await api().store.readStream(ownStream('closure', sha256(body)))())).to.deep.equal([]);
    expect(await orderEvents(api().store, orderId)).to.have.length(2);
    await expectReleased(api().store, body, await release(api().store, body));
  });

  it('is not undone by the same body that comes again', async () => {
    const text = '{"eventType":"onramp","orderId":"a"}';
    const id = await give(text);
    await done(id, 'close', 'a test of theirs');
    expect(await give(text)).to.equal(id);
    expect(await listed('closed')).to.deep.equal([id]);
  });

  it('needs its scope, a delivery that is there and a note', async () => {
    const id = await give('junk');
    for (const deed of ['close', 'reopen'] as const) {
      const path = `${LIST}/${id}/${deed}`;
      await expectScopes(api(), path, ['audit:read', 'pii:read', 'admin'], { method: 'POST', body: '{"note":"x"}' });
      expect(await refused(UNKNOWN, deed, { note: 'x' })).to.equal('404 not-found');
      for (const body of [{}, { note: ' ' }, { note: 7 }, { note: 'x'.repeat(2_001) }]) {
        expect(await refused(id, deed, body), JSON.stringify(body).slice(0, 20)).to.equal('400 invalid-parameter');
      }
    }
    expect(api().store.recorded()).to.have.length(1);
  });
});

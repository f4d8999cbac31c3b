import { expect } from 'chai';
import { sha256 } from '../../src/domain/sha256.ts';
import { openServing } from '../../src/event-store/sqlite/sqlite-event-store.ts';
import { accepted } from '../support/answers.ts';
import { deliver, exchange } from '../support/exchange.ts';
import { onRamp } from '../support/payloads.ts';
import { putAway } from '../support/quarantine-scene.ts';
import { right } from '../support/right.ts';
import { FULL_KEY, expectOneLine, processFixture } from './process-fixture.ts';

const UNKNOWN = '00000000-0000-5000-8000-000000000000';

describe('quarantine release on the command line', () => {
  const ledger = processFixture();
  const run = (...args: readonly string[]) => ledger.command(args, ledger.env());

  const printed = async (...args: readonly string[]): Promise<unknown> => {
    const { status, out, err } = await run(...args);
    expect({ status, err }, args.join(' ')).to.deep.equal({ status: 0, err: '' });
    return JSON.parse(out);
  };

  /** Puts away what today's rules can read; the event ids by which it is released. */
  const putAwayBoth = async (...orderIds: readonly string[]): Promise<readonly string[]> => {
    const store = right(
      await openServing({ dataDir: ledger.inFolder('data'), file: ledger.inFolder('data', 'events.db') }),
    );
    const ids: string[] = [];
    for (const orderId of orderIds) {
      const { body } = await putAway(store, onRamp({ orderId }));
      for await (const event of store.readAll(null)) {
        const { id, metadata } = right(event);
        if (metadata.includes(sha256(body))) ids.push(id);
      }
    }
    await store.close();
    return ids;
  };

  it('answers as a delivery does, beside a ledger that serves and without one', async () => {
    const [first = '', second = ''] = await putAwayBoth('ord-1', 'ord-2');
    const { url, stop } = await ledger.serveHere(ledger.env());
    const answer = await printed('quarantine', 'release', first, '--json');
    expect(answer).to.include({ outcome: 'recorded', orderId: 'ord-1', stream: 'order-ord-1', revision: 0 });
    const again = await exchange(url, {
      method: 'POST',
      path: `/v1/quarantine/${first}/release`,
      headers: { authorization: `Bearer ${FULL_KEY}` },
    });
    expect(JSON.parse(again.text)).to.deep.equal(answer);

    const { eventId: unreadable } = accepted(await deliver(url, 'no JSON'));
    const still = await run('quarantine', 'release', unreadable, '--json');
    expect(still.status).to.equal(1);
    expect(JSON.parse(still.out)).to.include({ outcome: 'quarantined', orderId: null, eventId: unreadable });
    expect(still.err).to.match(new RegExp(`^[^\\n]*${unreadable}: it still can't be read[^\\n]*\\n$`));

    const closed = await printed('quarantine', 'close', unreadable, '--note', ' a test of theirs ', '--json');
    expect(closed).to.deep.include({ eventId: unreadable }).and.to.have.all.keys('eventId', 'closed', 'position');
    expect(closed).to.have.property('closed').that.includes({ by: 'command-line', note: 'a test of theirs' });
    expectOneLine(await run('quarantine', 'close', unreadable, '--note', ' '), 2, /--note/);
    expectOneLine(await run('quarantine', 'close', UNKNOWN, '--note', 'x'), 1, /no such delivery/);
    expectOneLine(await run('quarantine', 'reopen', first, '--note', 'x'), 1, /was released/);

    await stop();
    expect((await run('quarantine', 'list', '--state', 'closed')).out).to.match(
      new RegExp(`^${unreadable} .* closed `, 'm'),
    );
    expectOneLine(await run('quarantine', 'close', unreadable, '--note', 'other'), 1, /closed already/);
    const reopened = await run('quarantine', 'reopen', unreadable, '--note', 'it was one');
    expect(reopened).to.deep.include({ status: 0, err: '', out: `${unreadable} is open again\n` });
    expectOneLine(await run('quarantine', 'release', unreadable), 1, /still can't be read/);
    const page = await run('quarantine', 'release', second);
    expect(page).to.deep.include({ status: 0, err: '' });
    expect(page.out).to.match(/^recorded: event \S+, revision 0 of order ord-2\n$/);
    expect(await printed('order', 'ord-2', '--json')).to.include({ status: 'fiatPending', revision: 0 });
    const releasedAs = /event (\S+),/.exec(page.out)?.[1] ?? '';
    const list = await run('quarantine', 'list');
    expect(list.out).to.match(
      new RegExp(`^${second} .* – +released +${releasedAs} .*\n${unreadable} .* – +open +– +is no JSON$`, 'm'),
    );
    expect(await printed('verify', '--json')).to.deep.include({ failures: [], orders: 2 });
  }).timeout(30_000);

  it('names what is not in quarantine in one line, beside a ledger and where there is none', async () => {
    expectOneLine(await run('quarantine', 'release', UNKNOWN), 2, /DATA_DIR/);
    const { url } = await ledger.serveHere(ledger.env());
    const { eventId } = accepted(await deliver(url, onRamp()));
    expectOneLine(await run('quarantine', 'release', UNKNOWN, '--json'), 1, new RegExp(UNKNOWN));
    expectOneLine(await run('quarantine', 'release', eventId), 1, /no such delivery in quarantine/);
    expectOneLine(await run('quarantine', 'release', 'two\nlines'), 1, /no such delivery in quarantine/);
  }).timeout(20_000);
});

import { expect } from 'chai';
import { instantOf } from '../../src/domain/instant.ts';
import { sha256 } from '../../src/domain/sha256.ts';
import type { Environment } from '../../src/config/index.ts';
import { statementOf } from '../support/bank-imports.ts';
import { eventStoreDbUnderTest } from '../support/eventstoredb-under-test.ts';
import { deliver } from '../support/exchange.ts';
import { at } from '../support/naive-json.ts';
import { bodyOf, newOrderId, offRamp } from '../support/payloads.ts';
import { countProven, putAway } from '../support/quarantine-scene.ts';
import { API_KEY, startLedger, type RunningLedger } from '../support/running-ledger.ts';
import { storeConnected } from '../support/store-connected.ts';

const NOW = instantOf(Date.parse('2026-04-30T12:00:00Z'));
const AT_ONCE = 24;
/** More are told that the ledger is overloaded, before anything is read. */
const FILES_AT_ONCE = 4;
const PROFILE = { date: 'Date', dateFormat: 'dd/mm/yyyy', amount: 'Amount', currency: 'INR', reference: ['Ref'] };
const TRANSFER = { chainId: 137, txnHash: `0x${'ab'.repeat(32)}`, status: 'success', token: `0x${'1'.repeat(40)}` };

type Said = { readonly status: string; readonly body: unknown };
type Request = { readonly path: string; readonly method?: 'DELETE'; readonly body?: object | Buffer | string };

/** What one person asks, of those who ask at once. */
type Asks = (person: number) => Request;

const positionOf = (body: unknown): string => String(at(body, 'position'));
const note = (person: number): { readonly note: string } => ({ note: `note ${person}` });
const counted = (said: readonly Said[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { status } of said) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

/** Every store that a ledger decides over. */
const STORES: Readonly<
  Record<string, () => Promise<{ readonly env: Environment; readonly close: () => Promise<void> }>>
> = {
  SQLite: () => Promise.resolve({ env: {}, close: () => Promise.resolve() }),
  EventStoreDB: async () => {
    const { url, streamPrefix, close } = await eventStoreDbUnderTest();
    const env = { EVENT_STORE_URL: url, EVENT_STORE_STREAM_PREFIX: streamPrefix, SPOOL_AFTER_MS: '10000' };
    return { env, close };
  },
};

for (const [name, open] of Object.entries(STORES)) {
  describe(`decisions of ${AT_ONCE} people at once over ${name}`, () => {
    let ledger: RunningLedger;
    let close: () => Promise<void>;

    before(async () => {
      const opened = await open();
      close = opened.close;
      ledger = await startLedger({ now: () => NOW, env: { BUSINESS_TIME_ZONE: 'UTC', ...opened.env } });
      await storeConnected(ledger.url);
    });
    after(async () => {
      await countProven(ledger.store);
      await ledger.close();
      await close();
    });

    const ask = async ({ path, method, body }: Request): Promise<Said> => {
      const given = typeof body === 'object' && !Buffer.isBuffer(body) ? JSON.stringify(body) : body;
      const response = await fetch(`${ledger.url}${path}`, {
        method: method ?? 'POST',
        headers: { Authorization: `Bearer ${API_KEY}`, 'Content-Type': 'application/x-ndjson' },
        ...(given === undefined ? {} : { body: given }),
      });
      const said: unknown = await response.json();
      const code = at(said, 'code');
      return {
        status: typeof code === 'string' ? `${response.status} ${code}` : String(response.status),
        body: said,
      };
    };
    /** All at once; nobody who loses a race is an error of the ledger. */
    const atOnce = async (asks: Asks, people = AT_ONCE): Promise<readonly Said[]> => {
      const before = ledger.unexpected.length;
      const said = await Promise.all(Array.from({ length: people }, (_, person) => ask(asks(person))));
      expect(ledger.unexpected.length - before, `errors logged: ${JSON.stringify(counted(said))}`).to.equal(0);
      return said;
    };
    const read = async (path: string): Promise<unknown> =>
      (await fetch(`${ledger.url}${path}`, { headers: { Authorization: `Bearer ${API_KEY}` } })).json();
    const typesOf = async (stream: string): Promise<readonly string[]> =>
      (await ledger.eventsOf(stream)).map(({ type }) => type);

    /** An item of the match, of an order that no bank has paid; it is waited for. */
    const anItem = async (): Promise<string> => {
      const orderId = newOrderId();
      const paid = offRamp({ orderId, status: 'PayoutSuccess', utr: orderId, updated_at: '2026-04-10T10:00:00Z' });
      const position = positionOf(JSON.parse((await deliver(ledger.url, bodyOf(paid))).text));
      const items = await read(`/v1/reconciliation/items?position=${position}&orderId=${orderId}`);
      return String(at(items, 'data', '0', 'itemId'));
    };
    /** A delivery in quarantine that can be released; it is waited for. */
    const inQuarantine = async (): Promise<{
      readonly path: string;
      readonly body: Buffer;
      readonly orderId: string;
    }> => {
      const orderId = newOrderId();
      const { body } = await putAway(ledger.store, offRamp({ orderId, status: 'pending' }));
      const [event] = await ledger.eventsOf(`quarantine-${sha256(body)}`);
      await read(`/v1/quarantine?position=${event?.position ?? ''}`);
      return { path: `/v1/quarantine/${event?.id ?? ''}`, body, orderId };
    };

    it('are each noted behind the other where they differ, and the last is the one in effect', async () => {
      const item = await anItem();
      const path = `/v1/reconciliation/items/${item}/decision`;
      const said = await atOnce((person) => ({ path, body: { decision: 'explain', ...note(person) } }));
      expect(counted(said)).to.deep.equal({ 200: AT_ONCE });
      const events = await ledger.eventsOf(`match-${item}`);
      const noted = events.map(({ data }): unknown => JSON.parse(data));
      expect(noted.map((data) => at(data, 'after'))).to.deep.equal([null, ...events.slice(0, -1).map(({ id }) => id)]);
      const byPosition = new Map(said.map(({ body }) => [positionOf(body), at(body, 'decision', 'note')]));
      expect(noted.map((data) => at(data, 'note'))).to.deep.equal(
        events.map(({ position }) => byPosition.get(position)),
      );
      const shown = await read(`/v1/reconciliation/items?position=${events.at(-1)?.position ?? ''}&state=explained`);
      expect(at(shown, 'data', '0', 'decision', 'note')).to.equal(at(noted.at(-1), 'note'));
    });

    it('are one where they are the same, and so is taking it back', async () => {
      const item = await anItem();
      const path = `/v1/reconciliation/items/${item}/decision`;
      const said = await atOnce(() => ({ path, body: { decision: 'explain', note: 'paid by hand' } }));
      expect(counted(said)).to.deep.equal({ 200: AT_ONCE });
      expect(new Set(said.map(({ body }) => JSON.stringify(body))).size).to.equal(1);
      const {
        200: taken = 0,
        '404 not-found': gone = 0,
        ...other
      } = counted(await atOnce(() => ({ path, method: 'DELETE' })));
      expect([other, taken + gone, taken > 0]).to.deep.equal([{}, AT_ONCE, true]);
      expect(await typesOf(`match-${item}`)).to.deep.equal(['MatchDecided', 'MatchDecided']);
    });

    it('close a quarantined delivery once, with one note', async () => {
      const { path, body } = await inQuarantine();
      const said = await atOnce((person) => ({ path: `${path}/close`, body: note(person) }));
      expect(counted(said)).to.deep.equal({ 200: 1, '409 already-closed': AT_ONCE - 1 });
      expect(await typesOf(`closure-${sha256(body)}`)).to.deep.equal(['QuarantineClosed']);
      const again = await atOnce(() => ({ path: `${path}/reopen`, body: note(0) }));
      expect(counted(again)).to.deep.equal({ 200: AT_ONCE });
      expect(await typesOf(`closure-${sha256(body)}`)).to.deep.equal(['QuarantineClosed', 'QuarantineReopened']);
    });

    it('close it and open it again in turns, each that is answered 200 being an event', async () => {
      const { path, body } = await inQuarantine();
      const said = await atOnce((person) => ({
        path: `${path}/${person % 2 === 0 ? 'close' : 'reopen'}`,
        body: note(person),
      }));
      const { 200: done = 0, '409 already-closed': closed = 0, '409 not-closed': open_ = 0, ...other } = counted(said);
      expect([other, done + closed + open_]).to.deep.equal([{}, AT_ONCE]);
      const types = await typesOf(`closure-${sha256(body)}`);
      expect(types).to.have.length(done);
      expect(types).to.deep.equal(types.map((_, i) => (i % 2 === 0 ? 'QuarantineClosed' : 'QuarantineReopened')));
    });

    it('release a quarantined delivery once, and each is answered the same', async () => {
      const { path, body, orderId } = await inQuarantine();
      const said = await atOnce(() => ({ path: `${path}/release` }));
      expect(counted(said)).to.deep.equal({ 200: AT_ONCE });
      expect(new Set(said.map((answer) => JSON.stringify(answer.body))).size).to.equal(1);
      expect(await typesOf(`quarantine-${sha256(body)}`)).to.deep.equal(['DeliveryQuarantined', 'QuarantineReleased']);
      expect(await typesOf(`order-${orderId}`)).to.deep.equal(['OffRampPending']);
    });

    it('release one that others close: it is released, and closed before that by one or by none', async () => {
      const { path, body, orderId } = await inQuarantine();
      const said = await atOnce((person) =>
        person % 2 === 0 ? { path: `${path}/release` } : { path: `${path}/close`, body: note(person) },
      );
      const {
        200: done = 0,
        '409 already-closed': closed = 0,
        '409 already-released': released = 0,
        ...other
      } = counted(said);
      expect([other, done + closed + released]).to.deep.equal([{}, AT_ONCE]);
      expect(await typesOf(`quarantine-${sha256(body)}`)).to.deep.equal(['DeliveryQuarantined', 'QuarantineReleased']);
      expect(await typesOf(`order-${orderId}`)).to.deep.equal(['OffRampPending']);
      expect(await typesOf(`closure-${sha256(body)}`)).to.have.length(done - AT_ONCE / 2);
    });

    it('close a month once, and open it again once', async () => {
      const created = offRamp({ orderId: newOrderId(), status: 'pending', created_at: '2026-02-10T10:00:00Z' });
      const position = positionOf(JSON.parse((await deliver(ledger.url, bodyOf(created))).text));
      await read(`/v1/reports/offramp?position=${position}`);
      const ready = await read('/v1/periods/2026-02/readiness');
      const checks: unknown = at(ready, 'checks');
      const despite = Array.isArray(checks)
        ? checks.filter((check: unknown) => at(check, 'ok') === false).map((check: unknown) => at(check, 'name'))
        : [];
      const path = '/v1/periods/2026-02';
      const closing = await atOnce((person) => ({ path: `${path}/close`, body: { ...note(person), despite } }));
      expect(counted(closing)).to.deep.equal({ 200: 1, '409 already-closed': AT_ONCE - 1 });
      const opening = await atOnce((person) => ({ path: `${path}/reopen`, body: note(person) }));
      expect(counted(opening)).to.deep.equal({ 200: 1, '409 not-closed': AT_ONCE - 1 });
      expect(await typesOf('period-2026-02')).to.deep.equal(['PeriodClosed', 'PeriodReopened']);
    });

    it('set a profile of bank files each, and the last holds', async () => {
      const path = '/v1/statements/profiles/acme';
      const said = await atOnce((person) => ({ path, body: { ...PROFILE, text: [`Column ${person}`] } }));
      expect(counted(said)).to.deep.equal({ 200: AT_ONCE });
      expect(await typesOf('profile-acme')).to.have.length(AT_ONCE);
      expect(counted(await atOnce(() => ({ path, body: { ...PROFILE, text: ['Same'] } })))).to.deep.equal({
        200: AT_ONCE,
      });
      expect(await typesOf('profile-acme')).to.have.length(AT_ONCE + 1);
    });

    it('import a bank file once, and each is answered the same', async () => {
      const bytes = statementOf();
      const said = await atOnce(() => ({ path: '/v1/statements', body: bytes }), FILES_AT_ONCE);
      expect(counted(said)).to.deep.equal({ 200: FILES_AT_ONCE });
      expect(new Set(said.map(({ body }) => JSON.stringify(body))).size).to.equal(1);
      const types = await typesOf(`statement-${sha256(bytes)}`);
      expect(types.filter((type) => type === 'StatementImported')).to.have.length(1);
    });

    it('note what each saw of a transfer', async () => {
      const said = await atOnce(
        (person) => ({
          path: '/v1/transfers',
          body: JSON.stringify({ ...TRANSFER, block: person + 1, to: `0x${'2'.repeat(40)}`, baseUnits: '5' }),
        }),
        FILES_AT_ONCE,
      );
      expect(counted(said)).to.deep.equal({ 200: FILES_AT_ONCE });
      expect(await typesOf(`transfer-${TRANSFER.chainId}-${TRANSFER.txnHash}`)).to.have.length(FILES_AT_ONCE);
    });
  });
}

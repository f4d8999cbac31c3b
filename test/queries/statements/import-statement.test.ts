import { expect } from 'chai';
import * as fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { EventStore } from '../../../src/event-store/event-store.ts';
import type { TakeImportTurn } from '../../../src/queries/statements/import-turn.ts';
import { importRequest } from '../../../src/queries/statements/statement-request.ts';
import { BOOKINGS } from '../../support/bank-files/booking.ts';
import { AUTHOR, imported, statementOf } from '../../support/bank-imports.ts';
import { right } from '../../support/right.ts';
import { routeDependencies, routeDoubles, type RouteDoubles } from '../../support/route-dependencies.ts';
import { runs } from '../../support/runs.ts';

const linesOf = async ({ readModels }: RouteDoubles, statementId: Parameters<typeof readModels.statement>[0]) =>
  right(await readModels.statementLines({ statementId, after: null, limit: 500 })()).data;

/** A store that goes away behind so many appends. */
const failingAfter = (store: EventStore, appends: number): EventStore => {
  let done = 0;
  return {
    ...store,
    append: (stream, expected, events) => {
      done += 1;
      return done > appends
        ? TE.left({ _tag: 'StoreUnavailable', detail: 'away' })
        : store.append(stream, expected, events);
    },
  };
};

/** Bookings enough for several appends. */
const MANY = Array.from({ length: 350 }, (_, at) => ({
  ...(BOOKINGS[at % BOOKINGS.length] ?? expect.fail()),
  reference: `REF${at}`,
}));

describe('importing a bank file', () => {
  it('makes an event of each line, and counts them by the last one', async () => {
    const doubles = routeDoubles();
    const { statement } = await imported(doubles, statementOf());
    expect(statement).to.include({ lines: 4, newLines: 4, duplicateLines: 0, opening: '1000.00' });
    const types = doubles.store.recorded().map(({ type }) => type);
    expect(types).to.deep.equal(['LineIdsKeyed', ...BOOKINGS.map(() => 'StatementLine'), 'StatementImported']);
    const lines = await linesOf(doubles, statement.statementId);
    expect(lines.map(({ index, amount }) => [index, amount])).to.deep.equal(
      BOOKINGS.map(({ amount }, at) => [at, amount]),
    );
  });

  it('answers the same and adds nothing where the file was imported', async () => {
    const doubles = routeDoubles();
    const first = await imported(doubles, statementOf());
    const events = doubles.store.recorded().length;
    expect(await imported(doubles, statementOf())).to.deep.equal({ ...first, isRepeat: true });
    expect(doubles.store.recorded()).to.have.length(events);
  });

  it('reads nothing of the lines of a file that was imported, which may be very many', async () => {
    const doubles = routeDoubles();
    const first = await imported(doubles, statementOf());
    const readStream = () => expect.fail('its stream was read');
    const again = await imported(doubles, statementOf(), { store: { ...doubles.store, readStream } });
    expect(again).to.deep.equal({ ...first, isRepeat: true });
  });

  it('counts lines of overlapping files once, and equal lines of one file as several', async () => {
    const doubles = routeDoubles();
    await imported(doubles, statementOf(BOOKINGS.slice(0, 3), 1));
    const { statement } = await imported(doubles, statementOf(BOOKINGS, 2));
    expect(statement).to.include({ lines: 6, newLines: 2, duplicateLines: 4 });
    expect(await linesOf(doubles, statement.statementId)).to.have.length(6);
    const within = await imported(doubles, statementOf(BOOKINGS.slice(0, 2)));
    expect(within.statement).to.include({ lines: 2, newLines: 0, duplicateLines: 2 });
  });

  it('leaves nothing visible where it is cut off, and is finished by the next import', async () => {
    const whole = routeDoubles();
    const expected = await imported(whole, statementOf(MANY));
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: 4 }), async (appends) => {
        const doubles = routeDoubles();
        const deps = routeDependencies({ store: failingAfter(doubles.store, appends) }, doubles);
        const nothing = { format: null, account: null, currency: null, profile: null, name: null };
        const cut = await importRequest(deps, nothing, statementOf(MANY), AUTHOR)();
        expect(E.isLeft(cut)).to.equal(true);
        expect(right(await doubles.readModels.statement(expected.statement.statementId)())).to.equal(null);
        expect(await linesOf(doubles, expected.statement.statementId)).to.deep.equal([]);
        const finished = await imported(doubles, statementOf(MANY));
        expect(finished).to.deep.equal(expected);
        expect(doubles.store.recorded().map(({ id }) => id)).to.deep.equal(whole.store.recorded().map(({ id }) => id));
        expect(await linesOf(doubles, expected.statement.statementId)).to.have.length(MANY.length);
      }),
      { numRuns: runs(5) },
    );
  });

  it('fails where the file cannot be read to its end, and counts nothing before the next import', async () => {
    const doubles = routeDoubles();
    const deps = routeDependencies({}, doubles);
    const { statementFiles } = deps;
    const open: typeof statementFiles.open = (bytes, reading) =>
      pipe(
        statementFiles.open(bytes, reading),
        TE.map((opened) => ({
          ...opened,
          lines: (from, most) =>
            from >= 200 ? TE.left({ _tag: 'FileFailed', detail: 'the thread has ended' }) : opened.lines(from, most),
        })),
      );
    const nothing = { format: null, account: null, currency: null, profile: null, name: null };
    const failing = { ...deps, statementFiles: { ...statementFiles, open } };
    const failed = await importRequest(failing, nothing, statementOf(MANY), AUTHOR)();
    expect(failed).to.have.nested.property('left._tag', 'FileFailed');
    const types = () => new Set(doubles.store.recorded().map(({ type }) => type));
    expect(types()).to.deep.equal(new Set(['LineIdsKeyed', 'StatementLine']));
    const { statement } = await imported(doubles, statementOf(MANY));
    expect(await linesOf(doubles, statement.statementId)).to.have.length(MANY.length);
  });

  it('appends no more at once than every store takes, however long the lines are', async () => {
    const doubles = routeDoubles();
    const LARGEST = 1_048_576;
    const sizes: number[] = [];
    const { store } = doubles;
    const long = MANY.slice(0, 60).map((booking) => ({
      ...booking,
      text: `${booking.text} ${'word '.repeat(12_000)}`,
    }));
    const deps = routeDependencies(
      {
        store: {
          ...store,
          append: (stream, expected, events) => {
            sizes.push(events.reduce((sum, { data, metadata }) => sum + data.length + metadata.length, 0));
            return store.append(stream, expected, events);
          },
        },
      },
      doubles,
    );
    const nothing = { format: null, account: null, currency: null, profile: null, name: null };
    right(await importRequest(deps, nothing, statementOf(long), AUTHOR)());
    expect(Math.max(...sizes)).to.be.lessThan(LARGEST);
    expect(sizes.length).to.be.greaterThan(2);
  });

  it('waits for its turn from when it was asked for, not from when another one before it has ended', async () => {
    const doubles = routeDoubles();
    const [since, ended]: [number[], number[]] = [[], []];
    const importTurn: TakeImportTurn = (asked) => {
      since.push(asked ?? expect.fail('a turn was asked for without when'));
      return Promise.resolve(E.right({ position: null, end: () => ended.push(performance.now()) }));
    };
    await Promise.all([0, 1, 2].map((repeated) => imported(doubles, statementOf(MANY, repeated), { importTurn })));
    expect(since).to.have.length(3);
    expect(Math.max(...since)).to.be.lessThan(Math.min(...ended));
  });

  it('keeps the file before any of its lines', async () => {
    const doubles = routeDoubles();
    const { statementFiles } = routeDependencies({}, doubles);
    const kept: number[] = [];
    await imported(doubles, statementOf(), {
      statementFiles: {
        ...statementFiles,
        keep: () => {
          kept.push(doubles.store.recorded().length);
          return TE.right(undefined);
        },
      },
    });
    expect(kept).to.deep.equal([0]);
  });

  it('lets the lists come after it every some thousand lines, and does not wait again where they do not', async () => {
    const many = Array.from({ length: 11_000 }, (_, at) => ({
      ...(BOOKINGS[at % BOOKINGS.length] ?? expect.fail()),
      reference: `REF${at}`,
    }));
    for (const isListed of [true, false]) {
      const doubles = routeDoubles();
      const waitedAt: number[] = [];
      const includes: RouteDoubles['readModels']['includes'] = (position, withinMs) => {
        const lines = doubles.store.recorded().filter(({ type }) => type === 'StatementLine').length;
        if (lines > 0) waitedAt.push(lines);
        return isListed || lines === 0
          ? doubles.readModels.includes(position, withinMs)
          : TE.left({ _tag: 'ReadModelsUnavailable', detail: 'they are being built' });
      };
      const readModels = { ...doubles.readModels, includes };
      expect((await imported(doubles, statementOf(many), { readModels })).statement.newLines).to.equal(11_000);
      expect(waitedAt).to.deep.equal(isListed ? [5_000, 10_000] : [5_000]);
    }
  });
});

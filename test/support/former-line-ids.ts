import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { branded } from '../../src/domain/brand.ts';
import type { LineKey } from '../../src/domain/line-key.ts';
import type { LineId } from '../../src/domain/statement-line.ts';
import { ownEvent, readOwnEvent } from '../../src/domain/own-event/own-event.ts';
import {
  STATEMENT_IMPORTED,
  STATEMENT_LINE,
  type StatementLineData,
} from '../../src/domain/own-event/statement-events.ts';
import type { EventForStream } from '../../src/domain/new-event.ts';
import type { RecordedEvent } from '../../src/domain/recorded-event.ts';
import { sha256 } from '../../src/domain/sha256.ts';
import { contentDigest, lineNaming } from '../../src/statements/line-ids.ts';
import { AUTHOR } from './bank-imports.ts';
import { right } from './right.ts';
import { routeDoubles, type RouteDoubles } from './route-dependencies.ts';

/** No test has so many equal lines. */
const MOST_EQUAL = 1_000;

/** The key that a log has; none where nothing was imported into it. */
export const keyIn = (events: readonly RecordedEvent[]): LineKey | null => {
  const keys = events.flatMap((event) => {
    const read = readOwnEvent(event);
    return E.isRight(read) && read.right._tag === 'LineIdsKeyed' ? [read.right.data.key] : [];
  });
  return keys[0] ?? null;
};

/** The id that a program before the key gave a line of this log. */
export const formerIdOf = (
  key: LineKey,
  line: Omit<StatementLineData, 'reading' | 'statementId' | 'index'>,
): LineId => {
  const [namesOf, content] = [lineNaming(key), contentDigest(line)];
  for (let before = 0; before < MOST_EQUAL; before += 1) {
    const { keyed, former } = namesOf({ content, before });
    if (keyed === line.lineId || former === line.lineId) return former;
  }
  return expect.fail('the line has none of its ids');
};

/** A digest over former ids, in place of that over keyed ones. */
const formerReading = (reading: string) => sha256(`formerly ${reading}`);

const formerEvent = (event: RecordedEvent, key: LineKey): readonly EventForStream[] => {
  const { _tag, data } = right(readOwnEvent(event));
  if (_tag === 'LineIdsKeyed') return [];
  if (_tag === 'StatementLine')
    return [
      ownEvent(
        STATEMENT_LINE,
        { ...data, lineId: formerIdOf(key, data), reading: formerReading(data.reading) },
        AUTHOR,
      ),
    ];
  if (_tag === 'StatementImported')
    return [ownEvent(STATEMENT_IMPORTED, { ...data, reading: formerReading(data.reading) }, AUTHOR)];
  return expect.fail(`nothing is known of ${_tag} before the key`);
};

/** A ledger that has the files of another one as a program before the key imported them: up to so many of its events. */
export const asBeforeTheKey = async ({ store }: RouteDoubles, most = Infinity): Promise<RouteDoubles> => {
  const doubles = routeDoubles();
  const events = store.recorded();
  const key = keyIn(events);
  if (key === null) return doubles;
  const revisions = new Map<string, number>();
  for (const { stream, event } of events.flatMap((one) => formerEvent(one, key)).slice(0, most)) {
    const revision = revisions.get(stream);
    const expected = revision === undefined ? 'none' : branded<RecordedEvent['revision']>(revision);
    right(await doubles.store.append(stream, expected, [event])());
    revisions.set(stream, (revision ?? -1) + 1);
  }
  return doubles;
};

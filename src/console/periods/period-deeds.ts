import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { Author } from '../../domain/own-event/own-metadata.ts';
import { illFormed } from '../../queries/failure/query-failure.ts';
import { readPath } from '../../queries/parameters/path-parameters.ts';
import { closePeriod } from '../../queries/periods/close-period.ts';
import { CHECK_NAMES } from '../../queries/periods/readiness-check.ts';
import { reopenPeriod } from '../../queries/periods/reopen-period.ts';
import type { ConsoleDependencies } from '../console-dependencies.ts';
import type { ConsoleQuestion, ConsoleRoute } from '../console-question.ts';
import { seeOther } from '../page.ts';
import { despiteField } from './period-forms.ts';
import { periodPath } from './period-path.ts';

const CLOSE = '/console/periods/{period}/close';
const REOPEN = '/console/periods/{period}/reopen';

const authorOf = ({ session, now, requestId }: ConsoleQuestion): Author => ({ by: session.key.id, at: now, requestId });

const close = (deps: ConsoleDependencies): ConsoleRoute => ({
  method: 'post',
  path: CLOSE,
  scopes: ['periods:write'],
  answer: (asked) => {
    const despite = CHECK_NAMES.filter((name) => asked.form.has(despiteField(name)));
    const note = asked.form.get('note') ?? '';
    return pipe(
      TE.fromEither(readPath(CLOSE, asked.path)),
      TE.chainFirstW(({ period }) => closePeriod(deps, period, { note, despite }, authorOf(asked))),
      TE.map(({ period }) => seeOther(periodPath(period))),
    );
  },
});

const reopen = (deps: ConsoleDependencies): ConsoleRoute => ({
  method: 'post',
  path: REOPEN,
  scopes: ['periods:write'],
  answer: (asked) => {
    const note = asked.form.get('note') ?? '';
    if (note.trim() === '') return TE.left(illFormed('note', 'a text that says why'));
    return pipe(
      TE.fromEither(readPath(REOPEN, asked.path)),
      TE.chainFirstW(({ period }) => reopenPeriod(deps, period, note, authorOf(asked))),
      TE.map(({ period }) => seeOther(periodPath(period))),
    );
  },
});

/** What is done to months by their forms; the month that it was done to comes next. */
export const periodDeeds = (deps: ConsoleDependencies): readonly ConsoleRoute[] => [close(deps), reopen(deps)];

import { Router } from '@koa/router';
import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import { parseBusinessDay, type BusinessDay } from '../../domain/business-day.ts';
import { readUrlEncoded } from '../../http/url-encoded.ts';
import { withJsonObject } from '../json-request.ts';
import { sendJson, sendRefusal, sendText } from '../replies.ts';
import type { Sandbox } from '../sandbox.ts';
import type { SandboxContext, SandboxRouter } from '../sandbox-context.ts';
import { BANK_FORMATS, type BankFile, type BankFormat } from './bank-file.ts';
import { STATEMENT_SPANS, type StatementSpan } from './bank-statements.ts';
import { chainNode } from './chain-node.ts';
import { CSV_PROFILE } from './csv-statement.ts';
import { explorerFile } from './explorer-file.ts';
import type { MoneyFaults } from './money-fault.ts';
import type { Money, MoneyQuestion } from './money.ts';

export type MoneyDeps = {
  readonly sandbox: Sandbox;
  /** The time at receivers, whatever the sandbox's own clock says. */
  readonly wallMs: () => number;
  readonly moneyFaults: MoneyFaults;
  readonly dayOf: (epochMs: number) => BusinessDay;
};

const TYPES: Readonly<Record<BankFormat, string>> = {
  'camt.053': 'application/xml',
  mt940: 'text/plain',
  csv: 'text/csv',
};

const oneOf = <A extends string>(
  query: URLSearchParams,
  name: string,
  known: readonly A[],
): E.Either<string, A | null> => {
  const text = query.get(name);
  if (text === null) return E.right(null);
  const found = known.find((one) => one === text);
  return found === undefined ? E.left(`${name}: expected one of ${known.join(', ')}`) : E.right(found);
};

const dayIn = (query: URLSearchParams): E.Either<string, BusinessDay | null> => {
  const text = query.get('through');
  const day = text === null ? null : parseBusinessDay(text);
  return text !== null && day === null ? E.left('through: expected a day as 2026-03-31') : E.right(day);
};

/** Reads `by`, `through` and `format`, of which each may be left out; what is wrong is said in one line. */
const questionIn = (ctx: SandboxContext, today: BusinessDay): E.Either<string, MoneyQuestion> => {
  const query = readUrlEncoded(ctx.querystring);
  if (query === null) return E.left('the query is not well-formed, or has more than 256 fields');
  return pipe(
    E.Do,
    E.bind('span', () => oneOf<StatementSpan>(query, 'by', STATEMENT_SPANS)),
    E.bind('through', () => dayIn(query)),
    E.bind('format', () => oneOf<BankFormat>(query, 'format', BANK_FORMATS)),
    E.map(({ span, through, format }) => ({ span: span ?? 'month', through: through ?? today, format })),
  );
};

const listed = ({ text: _text, ...file }: BankFile): object => file;

const param = (ctx: SandboxContext, name: string): string => {
  const params: unknown = Reflect.get(ctx, 'params');
  const value: unknown = typeof params === 'object' && params !== null ? Reflect.get(params, name) : undefined;
  return typeof value === 'string' ? value : '';
};

const NO_FILE = 'the bank has no file of this name for the same by, through and format';
const NO_CHAIN = 'no order of the sandbox is on this chain';

/** What the sandbox's bank and chains hand out (docs/spec/sandbox.md, Bank and chain). */
export const moneyRoutes = ({ sandbox, wallMs, moneyFaults, dayOf }: MoneyDeps): SandboxRouter => {
  const router = new Router({ sensitive: true });
  const means = { faults: moneyFaults, dayOf };
  const asked =
    (answer: (ctx: SandboxContext, money: Money) => void) =>
    (ctx: SandboxContext): void => {
      const question = questionIn(ctx, dayOf(wallMs()));
      if (E.isLeft(question)) sendRefusal(ctx, 400, question.left);
      else answer(ctx, sandbox.money(means, question.right));
    };
  router.get(
    '/sandbox/bank',
    asked((ctx, { files }) => sendJson(ctx, { data: files.map(listed) })),
  );
  router.get('/sandbox/bank/profile', (ctx) => sendJson(ctx, CSV_PROFILE));
  router.get(
    '/sandbox/bank/expected',
    asked((ctx, { expected }) => sendJson(ctx, { today: dayOf(wallMs()), items: expected })),
  );
  router.get(
    '/sandbox/bank/:name',
    asked((ctx, { files }) => {
      const file = files.find(({ name }) => name === param(ctx, 'name'));
      if (file === undefined) sendRefusal(ctx, 404, NO_FILE);
      else sendText(ctx, TYPES[file.format], file.text);
    }),
  );
  router.get(
    '/sandbox/chain',
    asked((ctx, { movements }) =>
      sendJson(ctx, { data: [...movements].map(([chainId, its]) => ({ chainId, transfers: its.length })) }),
    ),
  );
  router.get(
    '/sandbox/chain/:chainId/transfers',
    asked((ctx, { movements }) => {
      const its = movements.get(Number(param(ctx, 'chainId')));
      if (its === undefined) sendRefusal(ctx, 404, NO_CHAIN);
      else sendText(ctx, 'text/csv', explorerFile(its));
    }),
  );
  /** Nodes are asked for one transaction after the other: what they answer from is made once for all of them. */
  let known: { readonly version: number; readonly money: Money } | null = null;
  const movementsNow = (): Money['movements'] => {
    const version = sandbox.moneyVersion;
    if (known === null || known.version !== version) {
      const question = { span: 'month', through: dayOf(wallMs()), format: null } as const;
      known = { version, money: sandbox.money(means, question) };
    }
    return known.money.movements;
  };
  router.post(
    '/sandbox/chain/:chainId',
    withJsonObject((ctx, call) => {
      const chainId = Number(param(ctx, 'chainId'));
      if (!Number.isSafeInteger(chainId) || chainId < 1) return sendRefusal(ctx, 404, NO_CHAIN);
      return sendJson(ctx, chainNode(chainId, movementsNow().get(chainId) ?? [], wallMs())(call));
    }),
  );
  return router;
};

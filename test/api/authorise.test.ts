import { createHash } from 'node:crypto';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import type { ApiFailure } from '../../src/api/api-failure.ts';
import type { ApiKey } from '../../src/access/api-key.ts';
import { validKey, withScopes } from '../../src/api/authorise.ts';
import { problemOf } from '../../src/api/problem-of.ts';
import { SCOPES } from '../../src/config/index.ts';

const key = (id: string, text: string, ...scopes: readonly string[]): ApiKey => ({
  id,
  scopes: new Set(scopes),
  sha256: createHash('sha256').update(text).digest('hex'),
});

const KEYS = [
  key('one', 'key-one', 'orders:read'),
  key('two', 'schlüssel', 'audit:read', 'pii:read'),
  key('root', 'root', 'admin'),
];

const authorise = (keys: readonly ApiKey[], authorization: string, scopes: readonly string[]) =>
  E.chainW((caller: ApiKey) => withScopes(caller, scopes))(validKey(keys, authorization));

const outcome = (authorization: string, ...scopes: readonly string[]): string =>
  E.match(
    (failure: ApiFailure) => `${problemOf(failure).status} ${problemOf(failure).code}`,
    ({ id }: ApiKey) => id,
  )(authorise(KEYS, authorization, scopes));

describe('authorise', () => {
  it('finds the key that was shown', () => {
    expect(outcome('Bearer key-one', 'orders:read')).to.equal('one');
    expect(outcome('bearer  key-one ', 'orders:read')).to.equal('one');
    // A header's bytes come as one character each.
    const sent = Buffer.from('Bearer schlüssel').toString('latin1');
    expect(outcome(sent, 'audit:read', 'pii:read')).to.equal('two');
  });

  for (const header of [
    '',
    'Bearer',
    'Bearer ',
    'Basic key-one',
    'key-one',
    'Bearer key-on',
    'Bearer key-one2',
    'Bearer KEY-ONE',
  ]) {
    it(`refuses ${JSON.stringify(header)}`, () => expect(outcome(header, 'orders:read')).to.equal('401 unauthorized'));
  }

  it('takes a password for a key where that is asked for, and nowhere else: browsers send it along by themselves', () => {
    const keys = [...KEYS, key('colon', 'key:of:three', 'admin')];
    const shown = (password: string, basic: boolean): string => {
      const header = `Basic ${Buffer.from(`anybody:${password}`).toString('base64')}`;
      return E.match(
        (failure: ApiFailure) => `${problemOf(failure).status}`,
        ({ id }: ApiKey) => id,
      )(validKey(keys, header, basic));
    };
    expect(shown('root', true)).to.equal('root');
    expect(shown('key:of:three', true)).to.equal('colon');
    expect(shown('root', false)).to.equal('401');
  });

  it('tells a key that is missing from one that is not valid', () => {
    const refusal = (header: string) => E.getOrElseW((failure) => failure)(E.swap(validKey(KEYS, header)));
    expect(refusal('Bearer ')).to.have.property('key', 'missing');
    expect(refusal('Bearer key-two')).to.have.property('key', 'invalid');
  });

  it('asks for every scope, and lets none imply another', () => {
    expect(outcome('Bearer key-one', 'audit:read')).to.equal('403 forbidden');
    expect(outcome('Bearer key-one', 'orders:read', 'pii:read')).to.equal('403 forbidden');
    expect(outcome('Bearer root', 'orders:read')).to.equal('403 forbidden');
  });

  it('asks for these and for no others, whatever set of scopes a key has', () => {
    const subsets = SCOPES.reduce<readonly (readonly string[])[]>(
      (sets, scope) => [...sets, ...sets.map((set) => [...set, scope])],
      [[]],
    );
    const asked = subsets.filter(({ length }) => length <= 2);
    for (const set of subsets) {
      const [all, shown] = [new Set(set), key('some', 'some', ...set)];
      for (const needed of asked) {
        const found = E.isRight(authorise([shown], 'Bearer some', needed));
        if (found !== needed.every((scope) => all.has(scope))) expect.fail(`${set.join('+')}: ${needed.join('+')}`);
      }
    }
  });

  it('takes a digest of the wrong length for no key', () => {
    expect(E.isLeft(authorise([{ id: 'bad', scopes: new Set(), sha256: '00' }], 'Bearer x', []))).to.equal(true);
  });
});

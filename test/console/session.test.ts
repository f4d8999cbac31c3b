import { expect } from 'chai';
import { readSession, SESSION_SECONDS, sessionToken } from '../../src/console/session.ts';
import { keyOf } from './router-scene.ts';

const KEY = keyOf('finance', 'a key of finance', ['orders:read']);
const NONCE = 'n'.repeat(24);
const BEGAN = 1_000_000;
const OVER = BEGAN + SESSION_SECONDS;

/** Whether the cookie of a session that is over at a time stands for one at another. */
const isOne = (nowSeconds: number, { nonce = NONCE, expiresAt = OVER } = {}): boolean =>
  readSession(sessionToken({ key: KEY, nonce, expiresAt }), [KEY], nowSeconds) !== null;

describe('the cookie of a session', () => {
  it('stands for one until its eight hours are over, and no second longer', () => {
    expect([BEGAN, OVER - 1, OVER, OVER + 1].map((now) => isOne(now))).to.deep.equal([true, true, false, false]);
  });

  it('stands for none that lasts longer than one that begins now, or has a nonce of another form', () => {
    expect(isOne(BEGAN - 1)).to.equal(false);
    for (const nonce of ['', 'n'.repeat(21), 'n'.repeat(65), `${NONCE} `, `${NONCE}.`])
      expect(isOne(BEGAN, { nonce }), nonce).to.equal(false);
  });
});

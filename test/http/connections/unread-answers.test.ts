import { Duplex } from 'node:stream';
import { expect } from 'chai';
import { UnreadAnswers, type UnreadLimits } from '../../../src/http/connections/unread-answers.ts';
import { until } from '../../support/until.ts';

/** A connection on which so many bytes wait each time that it is looked at, and how often it was. */
const waitingOn = (bytes: (looks: number) => number): { readonly socket: Duplex; readonly looks: () => number } => {
  let looks = 0;
  const socket = new Duplex().on('error', () => undefined);
  Object.defineProperty(socket, 'writableLength', { get: () => bytes((looks += 1)) });
  return { socket, looks: () => looks };
};

const isSeen = (what: string, isSo: () => boolean): Promise<unknown> =>
  until(5_000, what, () => Promise.resolve(isSo() ? true : null));

const LIMITS: UnreadLimits = { pace: { patienceMs: 60_000, bytesPerSecond: 1 }, bytes: 1_000, lookEveryMs: 2 };

describe('answers that wait to be read', () => {
  it('are left alone as long as some of them is taken', async () => {
    const unread = new UnreadAnswers({ ...LIMITS, pace: { patienceMs: 0, bytesPerSecond: 1_000_000 } });
    const [taken, stuck] = [waitingOn((looks) => 900 - (looks % 100)), waitingOn(() => 50)];
    for (const { socket } of [taken, stuck]) unread.add(socket);
    await isSeen('the one that is stuck to be cut off', () => stuck.socket.destroyed);
    await isSeen('some more looks', () => taken.socket.destroyed || taken.looks() > 20);
    expect(taken.socket.destroyed).to.equal(false);
    taken.socket.destroy();
  });

  it('may be larger than all may be together where it is one alone; beside another the elder goes', async () => {
    const unread = new UnreadAnswers(LIMITS);
    const [elder, younger] = [waitingOn(() => 5_000), waitingOn(() => 5_000)];
    unread.add(elder.socket);
    await isSeen('some looks', () => elder.socket.destroyed || elder.looks() > 5);
    expect(elder.socket.destroyed).to.equal(false);
    unread.add(younger.socket);
    await isSeen('the elder to be cut off', () => elder.socket.destroyed);
    const before = younger.looks();
    await isSeen('some more looks', () => younger.socket.destroyed || younger.looks() > before + 5);
    expect(younger.socket.destroyed).to.equal(false);
    younger.socket.destroy();
  });
});

import { Writable } from 'node:stream';
import { expect } from 'chai';
import { pino } from 'pino';
import type { OutageTime } from '../../../src/composition/ledger/outage-lines.ts';
import { logStore, type StoreLog } from '../../../src/composition/ledger/store-log.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

describe('the log of a store on another machine', () => {
  let now = 0;
  let due: { readonly at: number; readonly call: () => void }[] = [];
  let out = '';
  let log: StoreLog;

  const time: OutageTime = {
    elapsed: () => now,
    after: (ms, call) => {
      const one = { at: now + ms, call };
      due.push(one);
      return () => {
        due = due.filter((other) => other !== one);
      };
    },
  };

  const pass = (ms: number): void => {
    const until = now + ms;
    for (;;) {
      const [next] = due.filter(({ at }) => at <= until).toSorted((a, b) => a.at - b.at);
      if (next === undefined) break;
      due = due.filter((one) => one !== next);
      now = next.at;
      next.call();
    }
    now = until;
  };

  const lines = (): readonly string[] => out.match(/(?<="msg":")[^"]+(?=[\\"])/g) ?? [];

  beforeEach(() => {
    [now, due, out] = [0, [], ''];
    const sink = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        out += chunk.toString();
        done();
      },
    });
    log = logStore(pino({ base: null }, sink), time);
    log.begin();
  });

  /** Silent, then answering, so often: as the spool tells it. */
  const stutter = (times: number, silentMs: number, answeringMs: number): void => {
    for (let i = 0; i < times; i += 1) {
      log.onSpool({ _tag: 'StoreAway', detail: 'no answer in time' });
      log.onSpool({ _tag: 'SpoolRefuses', detail: 'it is full' });
      pass(silentMs);
      log.onSpool({ _tag: 'StoreBack' });
      log.onSpool({ _tag: 'Drained', deliveries: 2 });
      pass(answeringMs);
    }
  };

  it('says at once that the store is away, and that it is there once it has stayed some seconds', () => {
    log.onState('refused');
    log.onSpool({ _tag: 'StoreAway', detail: 'refused' });
    expect(lines()).to.have.lengthOf(2);
    pass(MINUTE);
    log.onState(null);
    log.onSpool({ _tag: 'StoreBack' });
    log.onSpool({ _tag: 'Drained', deliveries: 3 });
    expect(lines().slice(2)).to.deep.equal(['the spool is empty']);
    expect(log.toldAway()).to.equal(1);
    pass(6 * SECOND);
    expect(lines().slice(3)).to.deep.equal(['the event store is there', 'the event store takes deliveries again']);
    expect(log.toldAway()).to.equal(null);
  });

  it('says a few lines a minute of a store that stutters, how often it was away, and all that was appended at its end', () => {
    stutter(1_000, 700, 20);
    const minutes = now / MINUTE;
    expect(lines().length).to.be.below(6 * minutes);
    expect(out).to.match(/"breaks":\d+,"seconds":30,"msg":"the event store takes deliveries now and then/);
    expect(log.wavering()).to.include({ problem: 'no answer in time', breaks: 1_000 });
    expect(lines()).to.not.include('the event store takes deliveries again');
    pass(MINUTE);
    expect(out).to.include('"breaks":1000,"msg":"the event store takes deliveries again"');
    expect(out).to.include('"deliveries":1998,"msg":"the spool is empty"');
    expect(log.wavering()).to.equal(null);
  });

  for (const [away, there] of [
    [SECOND, 6 * SECOND],
    [20 * SECOND, 2 * SECOND],
    [SECOND, 30 * SECOND],
  ] as const) {
    it(`says a few lines a minute where it is away ${away} ms and there ${there} ms by turns`, () => {
      for (let i = 0; i < 100; i += 1) {
        log.onState('refused');
        pass(away);
        log.onState(null);
        pass(there);
      }
      expect(lines().length).to.be.below((4 * now) / MINUTE);
    });
  }
});

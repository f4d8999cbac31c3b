import { Writable } from 'node:stream';
import { expect } from 'chai';
import { pino } from 'pino';
import { logReadModels } from '../../../src/composition/ledger/read-models-log.ts';
import { instantOf } from '../../../src/domain/instant.ts';
import { positionAt } from '../../../src/domain/position.ts';

describe('the log of the read models', () => {
  it('says once that they serve while the store comes and goes, and again behind that', () => {
    let out = '';
    const sink = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        out += chunk.toString();
        done();
      },
    });
    let away: number | null = 1;
    const { onEvent, begin } = logReadModels(pino({ base: null }, sink), () => away);
    begin();
    const serve = (n: number): void => {
      onEvent({ _tag: 'Failed', detail: 'refused', isOutage: true });
      const checkpoint = { position: positionAt(n), at: instantOf(0) };
      onEvent({ _tag: 'Serving', generation: 1, stamp: 1, checkpoint });
    };
    for (let n = 1; n < 60; n += 1) serve(n);
    expect(out.match(/"read models serve"/g)).to.have.lengthOf(1);
    expect(out.match(/"read models wait for the event store"/g)).to.have.lengthOf(1);
    away = null;
    serve(60);
    expect(out.match(/"read models serve"/g)).to.have.lengthOf(2);
  });

  it('says each failure once until they get further, and that they serve once for each time that they did', () => {
    let out = '';
    const sink = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        out += chunk.toString();
        done();
      },
    });
    const { onEvent, begin } = logReadModels(pino({ base: null }, sink));
    begin();
    const fail = (detail: string): void => onEvent({ _tag: 'Failed', detail, isOutage: false });
    const said = (): readonly string[] => out.match(/(?<="failure":")[^"]+/g) ?? [];
    const away = ['the store is away', 'the store does not answer'] as const;

    for (let second = 0; second < 60; second += 1) fail(away[second % 2] ?? away[0]);
    expect(said()).to.deep.equal(away);
    const checkpoint = { position: positionAt(1), at: instantOf(0) };
    onEvent({ _tag: 'Standing', stamp: 1, checkpoint, isOfLog: false });
    fail(away[0]);
    expect(said()).to.have.lengthOf(2);

    for (let second = 0; second < 60; second += 1) {
      onEvent({ _tag: 'Serving', generation: 1, stamp: 1, checkpoint });
      fail(away[0]);
    }
    expect(said()).to.have.lengthOf(3);
    expect(out.match(/"read models serve"/g)).to.have.lengthOf(1);

    onEvent({ _tag: 'GoesOn' });
    fail(away[0]);
    expect(said()).to.have.lengthOf(4);
    onEvent({ _tag: 'Serving', generation: 1, stamp: 1, checkpoint: { ...checkpoint, position: positionAt(2) } });
    fail(away[0]);
    expect(said()).to.have.lengthOf(5);
    expect(out.match(/"read models serve"/g)).to.have.lengthOf(2);
  });
});

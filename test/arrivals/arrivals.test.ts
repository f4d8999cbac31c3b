import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { keepArrivals, readArrivals } from '../../src/arrivals/arrivals-file.ts';
import { countsSince, NOTHING_SEEN } from '../../src/arrivals/arrivals-seen.ts';
import { Arrivals } from '../../src/arrivals/arrivals.ts';
import { refusalHints } from '../../src/arrivals/refusal-hints.ts';
import { declaredOrder } from '../../src/webhooks/declared-order.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = Date.UTC(2026, 10, 22, 5);
const DETAIL = { peer: '203.0.113.7', orderId: null, rewritten: false } as const;

describe('counts of what arrives', () => {
  it('are of ever, and of the last hour and day', () => {
    const arrivals = new Arrivals(NOTHING_SEEN);
    arrivals.count('recorded', NOW - 3 * DAY);
    arrivals.count('recorded', NOW - 20 * HOUR);
    for (let i = 0; i < 3; i += 1) arrivals.count('duplicate', NOW - 60_000);
    const seen = arrivals.seen(NOW);
    expect(seen.totals).to.deep.equal({ recorded: 2, duplicate: 3 });
    expect(countsSince(seen, NOW - DAY)).to.deep.equal({ recorded: 1, duplicate: 3 });
    expect(countsSince(seen, NOW - HOUR)).to.deep.equal({ duplicate: 3 });
  });

  it('stay small however much is sent, and ask for no detail that is not kept', () => {
    const arrivals = new Arrivals(NOTHING_SEEN);
    let asked = 0;
    for (let i = 0; i < 200_000; i += 1) {
      arrivals.refuse('signature-mismatch', NOW + i * 20, () => {
        asked += 1;
        return { ...DETAIL, orderId: 'x'.repeat(200) };
      });
    }
    const seen = arrivals.seen(NOW + 200_000 * 20);
    expect(seen.totals).to.deep.equal({ 'signature-mismatch': 200_000 });
    expect(seen.refused).to.have.length(500);
    expect(asked).to.be.below(2_100);
    expect(JSON.stringify(seen).length).to.be.below(200_000);
    expect(arrivals.seen(NOW + 30 * DAY).refused).to.deep.equal([]);
  });

  it('outlast a restart, in a file for the owner only; one that is damaged is begun anew', () => {
    const folder = temporaryFolder();
    const file = join(folder.path, 'arrivals.json');
    const problems: string[] = [];
    const kept = keepArrivals(file, () => NOW, problems.push.bind(problems));
    kept.arrivals.refuse('too-old', NOW, () => ({ ...DETAIL, orderId: 'ord-1' }));
    kept.close();
    expect(statSync(file).mode & 0o077).to.equal(0);
    const again = keepArrivals(file, () => NOW, problems.push.bind(problems));
    again.arrivals.count('recorded', NOW);
    again.close();
    expect(readArrivals(file)).to.deep.include({ totals: { 'too-old': 1, recorded: 1 } });
    expect(readArrivals(file).refused.map(({ orderId }) => orderId)).to.deep.equal(['ord-1']);
    writeFileSync(file, readFileSync(file, 'utf8').slice(0, 20));
    expect(readArrivals(file)).to.deep.equal(NOTHING_SEEN);
    expect(readArrivals(join(folder.path, 'none'))).to.deep.equal(NOTHING_SEEN);
    keepArrivals(join(folder.path, 'no', 'such', 'file'), () => NOW, problems.push.bind(problems)).arrivals.count(
      'x',
      1,
    );
    expect(existsSync(`${file}.part`)).to.equal(false);
    expect(problems).to.deep.equal([]);
    folder.remove();
  });
});

describe('hints at why deliveries are refused', () => {
  const about = (outcomes: readonly string[], rewritten = false): readonly string[] => {
    const arrivals = new Arrivals(NOTHING_SEEN);
    for (const outcome of outcomes) {
      if (outcome === 'recorded') arrivals.count(outcome, NOW);
      else arrivals.refuse(outcome, NOW, () => ({ ...DETAIL, rewritten }));
    }
    return refusalHints(arrivals.seen(NOW), NOW).map((hint) => hint.about);
  };

  it('follow from the pattern', () => {
    expect(about(['recorded'])).to.deep.equal([]);
    expect(about(['signature-mismatch'])).to.deep.equal(['Signed with another secret']);
    expect(about(['signature-mismatch', 'recorded'])).to.deep.equal([
      'Some are signed with another secret, or are forged',
    ]);
    expect(about(['signature-mismatch'], true)).to.deep.equal(['Your proxy changes the body']);
    expect(about(['too-old', 'signature-missing'])).to.deep.equal(['The signature does not arrive', 'The clock']);
  });
});

describe('the order that an unproved body names', () => {
  it('is told where it stands near the start, and is an order id', () => {
    for (const [body, orderId] of [
      ['{"fiat":1,"orderId":"ord-1"}', 'ord-1'],
      ['{"orderId" : "a b"}', 'a b'],
      [`{"orderId":"${'x'.repeat(201)}"}`, null],
      [`${' '.repeat(5_000)}{"orderId":"far"}`, null],
      ['{"orderId":5}', null],
      ['\u0000', null],
    ] as const) {
      expect(declaredOrder(Buffer.from(body)), body.slice(0, 30)).to.equal(orderId);
    }
  });
});

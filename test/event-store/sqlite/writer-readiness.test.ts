import { expect } from 'chai';
import { WriterReadiness } from '../../../src/event-store/sqlite/writer-readiness.ts';
import type { WriterNews } from '../../../src/event-store/sqlite/writer-message.ts';

describe('whether the writer could write now', () => {
  let oldest: object | undefined;
  let news: WriterNews[];
  let readiness: WriterReadiness;
  beforeEach(() => {
    oldest = undefined;
    news = [];
    readiness = new WriterReadiness({
      oldest: () => oldest,
      probe: () => undefined,
      onNews: (one) => news.push(one),
    });
  });
  afterEach(() => readiness.ended('the test is over', true));

  const look = (times: number): void => {
    for (let time = 0; time < times; time += 1) readiness.look();
  };

  it('is told by a write that has no answer for five seconds, once, and by its answer', () => {
    oldest = {};
    look(5);
    expect(readiness.now).to.deep.equal({ ready: true });
    look(3);
    expect(readiness.now).to.deep.equal({ ready: false, detail: 'the disk has not answered a write for 7 s' });
    readiness.answered();
    expect(readiness.now).to.deep.equal({ ready: true });
    expect(news).to.deep.equal([
      { _tag: 'DiskSilent', detail: 'the disk has not answered a write for 5 s' },
      { _tag: 'DiskAnswers', seconds: 7 },
    ]);
  });

  it('is not in doubt while each write is answered, however many follow each other, nor where none comes', () => {
    for (let write = 0; write < 20; write += 1) {
      oldest = {};
      look(4);
    }
    oldest = undefined;
    look(20);
    expect(readiness.now).to.deep.equal({ ready: true });
    expect(news).to.deep.equal([]);
  });

  it('is denied once the writer has ended, for the first reason, which is told where nobody told it to end', () => {
    for (const detail of ['the writer thread failed: why', 'the writer thread has ended'])
      readiness.ended(detail, false);
    const detail = 'the writer thread failed: why';
    expect(readiness.now).to.deep.equal({ ready: false, detail });
    expect(news).to.deep.equal([{ _tag: 'Stopped', detail }]);
    news.length = 0;
    readiness.ended('the writer thread has ended', true);
    expect(readiness.now).to.deep.equal({ ready: false, detail: 'the writer thread has ended' });
    expect(news).to.deep.equal([]);
  });

  it('is told to be denied for good once, however many deliveries hear of it, and of a full disk in between', () => {
    for (const state of ['full', 'failed', 'failed', 'full', 'failed'] as const) readiness.notReady(state, state);
    expect(news).to.deep.equal([{ _tag: 'Stopped', detail: 'failed' }]);
  });

  it('stays denied behind the answer to a long write that failed', () => {
    oldest = {};
    look(7);
    readiness.answered();
    readiness.notReady('failed', 'SQLITE_IOERR_FSYNC');
    oldest = undefined;
    look(1);
    expect(readiness.now).to.deep.equal({ ready: false, detail: 'SQLITE_IOERR_FSYNC' });
    expect(news.map(({ _tag }) => _tag)).to.deep.equal(['DiskSilent', 'DiskAnswers', 'Stopped']);
  });

  it('is denied while a file system is read-only, and told so once, and of its end', () => {
    for (const state of ['read-only', 'read-only', 'full', 'read-only'] as const) readiness.notReady(state, state);
    expect(readiness.now).to.deep.equal({ ready: false, detail: 'read-only' });
    readiness.writable();
    readiness.writable();
    expect(readiness.now).to.deep.equal({ ready: true });
    expect(news).to.deep.equal([{ _tag: 'DiskReadOnly', detail: 'read-only' }, { _tag: 'DiskWritable' }]);
  });
});

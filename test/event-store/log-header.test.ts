import fs, { appendFileSync, truncateSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { mock } from 'node:test';
import { expect } from 'chai';
import { LogHeader } from '../../src/event-store/log-header.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const HEADER_BYTES = 32;

/** A write-ahead log as far as it is looked at: its header, which is another one each time that it begins anew, and pages. */
const logOf = (salt: number, pages: number): Buffer => {
  const log = Buffer.alloc(HEADER_BYTES + pages * 100, salt);
  log.writeUInt32BE(0x377f0682);
  return log;
};

/** Looks while another program does something between the two readings of which a look is made. */
const lookAround = (header: LogHeader, between: () => void): string | null => {
  let isBetween = true;
  const interrupted = <A>(answer: A): A => {
    if (isBetween) {
      isBetween = false;
      between();
    }
    return answer;
  };
  const { fstatSync, readSync } = fs;
  const looks = [
    mock.method(fs, 'fstatSync', (...of: Parameters<typeof fstatSync>) => interrupted(fstatSync(...of))),
    mock.method(fs, 'readSync', (...of: Parameters<typeof readSync>) => interrupted(readSync(...of))),
  ];
  syncBuiltinESMExports();
  try {
    return header.damage();
  } finally {
    for (const look of looks) look.mock.restore();
    syncBuiltinESMExports();
    expect(isBetween, 'something was done in between').to.equal(false);
  }
};

describe('a look at a write-ahead log', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let file: string;
  beforeEach(() => {
    folder = temporaryFolder();
    file = `${folder.path}/events.db-wal`;
    writeFileSync(file, logOf(1, 5));
  });
  afterEach(() => folder.remove());

  it('finds nothing wrong where a program that takes the log into its file empties it in the middle of the look', () => {
    const header = new LogHeader(file);
    expect(lookAround(header, () => truncateSync(file))).to.equal(null);
    expect(header.damage()).to.equal(null);
    appendFileSync(file, logOf(2, 1));
    expect(header.damage()).to.equal(null);
  });

  for (const pages of [1, 9])
    it(`finds nothing wrong, then and later, where it begins anew in the middle of the look with pages: ${pages}`, () => {
      const header = new LogHeader(file);
      expect(lookAround(header, () => writeFileSync(file, logOf(2, pages)))).to.equal(null);
      expect(header.damage()).to.equal(null);
      appendFileSync(file, Buffer.alloc(100));
      expect(header.damage()).to.equal(null);
    });

  it('finds a log that was cut, emptied behind its header or overwritten, also in the middle of the look', () => {
    for (const spoil of [
      () => truncateSync(file, HEADER_BYTES + 100),
      () => truncateSync(file, HEADER_BYTES),
      () => truncateSync(file, HEADER_BYTES - 1),
      () => writeFileSync(file, Buffer.alloc(2_000, 'x')),
    ]) {
      for (const look of [
        (header: LogHeader) => {
          spoil();
          return header.damage();
        },
        (header: LogHeader) => lookAround(header, spoil) ?? header.damage(),
      ]) {
        writeFileSync(file, logOf(1, 5));
        const header = new LogHeader(file);
        expect(look(header)).to.equal(`${file} was overwritten or cut while it was in use`);
      }
    }
  });
});

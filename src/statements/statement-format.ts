/** The kinds of bank files (docs/spec/statements.md, Formats). */
export const STATEMENT_FORMATS = ['camt.053', 'mt940', 'csv', 'xlsx', 'ofx'] as const;

export type StatementFormat = (typeof STATEMENT_FORMATS)[number];

const START = 4_096;

const ZIP = [0x50, 0x4b, 0x03, 0x04];

/**
 * The format of a file by what it begins with; null where nothing tells. A table can't be told from other text, so it is
 * taken for one only where a profile says what its columns are.
 */
export const recogniseFormat = (bytes: Uint8Array, hasProfile: boolean): StatementFormat | null => {
  if (ZIP.every((byte, at) => bytes[at] === byte)) return 'xlsx';
  // Each second byte of UTF-16 is zero in what is looked for.
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, START)).replaceAll('\0', '');
  if (/OFXHEADER|<OFX[\s>]/i.test(start)) return 'ofx';
  if (/[<:](?:Document|BkToCstmr|BizMsg|AppHdr)|camt\.05\d|<\?xml/.test(start)) return 'camt.053';
  if (/(?:^|[\r\n@{}:])[ \t]{0,8}:(?:20|25|28C?|60[FM]):/.test(start)) return 'mt940';
  return hasProfile ? 'csv' : null;
};

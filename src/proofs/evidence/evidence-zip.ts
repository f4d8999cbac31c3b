import { unzipSync, zipSync } from 'fflate';
import type { Files } from './evidence-files.ts';

/** Of every entry, in whatever zone: it says nothing. */
const WRITTEN = '1980-01-01T12:00:00';

/** The one ZIP of some files: nothing is packed, so that the same files are the same bytes for ever. */
export const zipped = (files: Files): Buffer =>
  Buffer.from(
    zipSync(Object.fromEntries([...files].map(([name, content]) => [name, [content, { level: 0, mtime: WRITTEN }]]))),
  );

/** Reads a ZIP of files that are not packed; null for anything else. It is whole only where `zipped` gives the same bytes again. */
export const unzipped = (bytes: Buffer): Files | null => {
  let size = 0;
  try {
    const read = unzipSync(bytes, {
      filter: ({ compression, originalSize }) => {
        // What is packed could come to any size, and so could files that all stand at the same place.
        size += originalSize;
        return compression === 0 && size <= bytes.length;
      },
    });
    return size > bytes.length
      ? null
      : new Map(Object.entries(read).map(([name, content]) => [name, Buffer.from(content)]));
  } catch {
    return null;
  }
};

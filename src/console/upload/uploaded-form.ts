import { createHash, randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { finished, Transform, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import * as E from 'fp-ts/lib/Either.js';
import type { ApiContext } from '../../http/api-context.ts';
import { feedInSlices } from './fed-in-slices.ts';

/** A file that came with a form, written to a folder as it came. */
export type UploadedFile = {
  readonly path: string;
  readonly sha256: string;
  /** As its sender calls it. */
  readonly name: string;
  readonly bytes: number;
};

/** The fields of a form with a file; without the file where none came whole. */
export type UploadedForm = {
  readonly fields: ReadonlyMap<string, string>;
  readonly file: UploadedFile | null;
  /** Whether it was larger than it may be. */
  readonly isTooLarge: boolean;
  /** Removes all that was written to the folder and is still there, whatever field it came in. */
  readonly drop: () => Promise<void>;
};

const MOST_FIELDS = 20;
const MOST_FIELD_BYTES = 16_384;
/** Of the lines that a part begins with: what is beyond is not kept. */
const MOST_HEAD_BYTES = 4_096;
const MOST_HEAD_LINES = 16;
/** All that a form may have besides its file. */
const MOST_BESIDE_BYTES = 1_048_576;
const WITHIN_MS = 60_000;
const LONGEST_NAME = 255;
/** A file that is being written is named by so many hex digits of chance. */
const NAME_DIGITS = 25;

const OF_FORMS = /^multipart\/form-data/i;

/** The name of a file as its sender has it: browsers write quotation marks of it as they do in addresses. */
const nameOf = (filename: string | undefined): string => (filename ?? '').replaceAll('%22', '"').slice(0, LONGEST_NAME);

/** Writes a file as it comes. */
const written = async (content: Readable, path: string, name: string, signal: AbortSignal): Promise<UploadedFile> => {
  const digest = createHash('sha256');
  let bytes = 0;
  const seen = new Transform({
    transform: (piece: Buffer, _encoding, done) => {
      digest.update(piece);
      bytes += piece.length;
      done(null, piece);
    },
  });
  await pipeline(content, seen, createWriteStream(path, { flags: 'wx', mode: 0o600 }), { signal });
  return { path, sha256: digest.digest('hex'), name, bytes };
};

/** How a form ended. */
type End = 'whole' | 'cut off' | 'too large';

/** What a form brings whole; null in place of the file where it has none, or more than it may. */
type Sent = Pick<UploadedForm, 'fields' | 'file' | 'isTooLarge'>;

/** @param begun is told the path of each file before it is written */
const sentBy = async (
  { req }: ApiContext,
  type: string,
  { folder, most, begun }: { readonly folder: string; readonly most: number; readonly begun: (path: string) => void },
): Promise<Sent> => {
  const { Busboy } = await import('@fastify/busboy');
  const fields = new Map<string, string>();
  const limits = {
    files: 1,
    fileSize: most,
    fields: MOST_FIELDS,
    fieldSize: MOST_FIELD_BYTES,
    parts: MOST_FIELDS + 1,
    headerSize: MOST_HEAD_BYTES,
    headerPairs: MOST_HEAD_LINES,
  };
  const opened = E.tryCatch(
    () => new Busboy({ headers: { 'content-type': type }, limits }),
    () => 'it names no boundary, say: nothing can be found in it',
  );
  if (E.isLeft(opened)) return { fields, file: null, isTooLarge: false };
  const form = opened.right;
  const givenUp = new AbortController();
  let file: Promise<UploadedFile | null> = Promise.resolve(null);
  let came = 0;
  let isOver = false;
  const end = await new Promise<End>((resolve) => {
    const over = (how: End): void => {
      isOver = true;
      resolve(how);
    };
    const tooLarge = (): void => over('too large');
    form.on('field', (name, value, _nameCut, valueCut) => {
      if (valueCut) tooLarge();
      else fields.set(name, value);
    });
    form.on('file', (field, content, filename) => {
      content.on('limit', tooLarge);
      // It ends with its form; an error that nobody hears would be the process's end.
      content.on('error', () => over('cut off'));
      if (field !== 'file') {
        content.resume();
        return;
      }
      const path = join(folder, randomBytes(NAME_DIGITS).toString('hex').slice(0, NAME_DIGITS));
      begun(path);
      file = written(content, path, nameOf(filename), givenUp.signal).catch(() => {
        over('cut off');
        return null;
      });
    });
    for (const limit of ['filesLimit', 'fieldsLimit', 'partsLimit'] as const) form.on(limit, tooLarge);
    form.on('finish', () => over('whole'));
    form.on('error', () => over('cut off'));
    finished(req, { writable: false }, (error) => {
      if (error !== undefined && error !== null) over('cut off');
    });
    req.on('data', (piece: Buffer) => {
      came += piece.length;
      if (came > most + MOST_BESIDE_BYTES) tooLarge();
    });
    feedInSlices(req, form, () => isOver);
  });
  if (end === 'whole') return { fields, file: await file, isTooLarge: false };
  req.removeAllListeners('data');
  req.pause();
  form.destroy();
  givenUp.abort();
  await file;
  return { fields, file: null, isTooLarge: end === 'too large' };
};

/**
 * Reads a form with a file in its field `file`. The file goes to the folder piece by piece, so that no more of it than a piece is
 * in memory; what does not come whole within a minute is cut off.
 *
 * @param most bytes that the file may have
 */
export const uploadedForm = async (ctx: ApiContext, folder: string, most: number): Promise<UploadedForm> => {
  const paths: string[] = [];
  const drop = async (): Promise<void> => {
    await Promise.all(paths.map((path) => rm(path, { force: true })));
  };
  const type = ctx.req.headers['content-type'] ?? '';
  if (!OF_FORMS.test(type)) {
    ctx.set('Connection', 'close');
    return { fields: new Map(), file: null, isTooLarge: false, drop };
  }
  const late = setTimeout(() => ctx.req.destroy(), WITHIN_MS);
  try {
    const sent = await sentBy(ctx, type, { folder, most, begun: (path) => paths.push(path) });
    // What is left of a body that is not read would be taken for the next request.
    if (!ctx.req.complete) ctx.set('Connection', 'close');
    return { ...sent, drop };
  } finally {
    clearTimeout(late);
  }
};

import { rm } from 'node:fs/promises';
import * as t from 'io-ts';
import type { ApiContext } from '../../http/api-context.ts';

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
const WITHIN_MS = 60_000;
const LONGEST_NAME = 255;

const File = t.type({
  filepath: t.string,
  hash: t.string,
  size: t.number,
  originalFilename: t.union([t.string, t.null]),
});
const Files = t.type({ file: t.union([File, t.array(File)]) });

const TOO_LARGE = 413;

/**
 * Reads a form with a file in its field `file`. The file goes to the folder piece by piece, so that no more of it than a piece is
 * in memory; what does not come whole within a minute is cut off.
 *
 * @param most bytes that the file may have
 */
export const uploadedForm = async (ctx: ApiContext, folder: string, most: number): Promise<UploadedForm> => {
  const { koaBody } = await import('koa-body');
  let isTooLarge = false;
  const written: string[] = [];
  const drop = async (): Promise<void> => {
    await Promise.all(written.map((path) => rm(path, { force: true })));
  };
  const late = setTimeout(() => ctx.req.destroy(), WITHIN_MS);
  const options = {
    multipart: true,
    urlencoded: false,
    json: false,
    text: false,
    formidable: {
      uploadDir: folder,
      hashAlgorithm: 'sha256' as const,
      maxFiles: 1,
      maxFields: MOST_FIELDS,
      maxFieldsSize: MOST_FIELD_BYTES,
      maxFileSize: most,
      allowEmptyFiles: true,
      minFileSize: 0,
      onFileBegin: (_field: string, { filepath }: { readonly filepath: string }) => {
        written.push(filepath);
      },
    },
    onError: (error: Error) => {
      isTooLarge = 'httpCode' in error && error.httpCode === TOO_LARGE;
      // What is left of a body that is not read would be taken for the next request.
      ctx.set('Connection', 'close');
    },
  };
  try {
    await koaBody(options)(ctx, () => Promise.resolve());
  } finally {
    clearTimeout(late);
  }
  const fields = new Map<string, string>();
  const body: unknown = Reflect.get(ctx.request, 'body');
  if (typeof body === 'object' && body !== null)
    for (const [name, value] of Object.entries(body)) if (typeof value === 'string') fields.set(name, value);
  const files: unknown = Reflect.get(ctx.request, 'files');
  if (!Files.is(files)) return { fields, file: null, isTooLarge, drop };
  const [first] = Array.isArray(files.file) ? files.file : [files.file];
  if (first === undefined) return { fields, file: null, isTooLarge, drop };
  const { filepath: path, hash: sha256, size: bytes, originalFilename } = first;
  const name = (originalFilename ?? '').slice(0, LONGEST_NAME);
  return { fields, file: { path, sha256, bytes, name }, isTooLarge, drop };
};

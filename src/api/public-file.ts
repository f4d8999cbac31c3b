import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { FairBeginnings } from '../concurrency/fair-beginnings.ts';
import { prefersGzip } from '../http/accept-headers.ts';
import type { ApiMiddleware } from '../http/api-context.ts';
import { peerOf } from '../http/connections/peer-of.ts';
import type { AnswerDoc } from '../openapi/operation.ts';

/** Bytes that anybody may ask for without a key, the same for all: made once, when they are first asked for. */
type PublicFile = {
  /** With its charset, where it is a text. */
  readonly type: string;
  readonly bytes: () => Buffer | Promise<Buffer>;
  readonly headers?: Readonly<Record<string, string>>;
};

/** Makes the routes of public files, which share their turns. */
export type PublicFiles = (file: PublicFile) => ApiMiddleware;

/** What is sent of a file: as it is and compressed, and the name of this content. */
type Prepared = { readonly plain: Buffer; readonly gzipped: Buffer; readonly etag: string };

const compress = promisify(gzip);

const prepared = async (bytes: PublicFile['bytes']): Promise<Prepared> => {
  const plain = await bytes();
  // Weak, since it names the compressed form too.
  const etag = `W/"${createHash('sha256').update(plain).digest('base64url')}"`;
  return { plain, gzipped: await compress(plain), etag };
};

/** How the answers of a public file are documented, beside its own content. */
export const publicFileAnswers = (description: string, contents: AnswerDoc['contents']): readonly AnswerDoc[] => {
  const headers = {
    ETag: { description: 'Names this content; weak.', schema: { type: 'string', pattern: '^W/"[A-Za-z0-9_-]{43}"$' } },
    Vary: { description: 'It is compressed where gzip is accepted.', schema: { const: 'Accept-Encoding' } },
  };
  return [
    { status: 200, description, headers, contents },
    { status: 304, description: '`If-None-Match` names this content.', headers, contents: [] },
  ];
};

/**
 * Answers with public files, one in each turn of the loop and by turns of those who ask: they are large, and who asks
 * for many at once without any key would keep deliveries waiting behind all of them.
 */
export const publicFiles = (): PublicFiles => {
  const beginnings = new FairBeginnings();
  return ({ type, bytes, headers = {} }) => {
    let made: Promise<Prepared> | null = null;
    const make = async (): Promise<Prepared> => {
      try {
        return await prepared(bytes);
      } catch (error) {
        // What can't be read for want of open files now can be later.
        made = null;
        throw error;
      }
    };
    return async (ctx) => {
      made ??= make();
      const { plain, gzipped, etag } = await made;
      await beginnings.turn(peerOf(ctx.req.socket.remoteAddress, null));
      ctx.status = 200;
      ctx.set({ 'Cache-Control': 'no-cache', ETag: etag, Vary: 'Accept-Encoding', ...headers });
      if (ctx.fresh) {
        ctx.status = 304;
        return;
      }
      ctx.type = type;
      if (prefersGzip(ctx)) {
        ctx.set('Content-Encoding', 'gzip');
        ctx.body = gzipped;
      } else ctx.body = plain;
    };
  };
};

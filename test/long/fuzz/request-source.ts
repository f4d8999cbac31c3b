import { API_KEY } from '../../support/running-ledger.ts';
import type { KnownPlaces } from './known-places.ts';
import { changer, type Chance } from './mutations.ts';
import { bodySource, type SentBody } from './request-bodies.ts';

/** A request as bytes. */
export type FuzzedRequest = {
  readonly bytes: Buffer;
  /** Whether it stands between its own ends, unchanged: it must be answered, and the next one begins behind it. */
  readonly isWhole: boolean;
};

const METHODS = 'GET HEAD POST PUT DELETE OPTIONS PATCH TRACE CONNECT PROPFIND get G%45T'.split(' ');

/** What stands in a path or a query: nearly right, right elsewhere, or nothing of the kind. */
const VALUES: readonly string[] = [
  ...'fuzzed fuzz-1 fuzz-off-2 ord-0 0 1 -1 1e9 9007199254740993 999999999999999999999999 NaN true null any'.split(' '),
  ...'2023-03 2023-03-01 2023-02-30 -000001-01-01 9999-12-31 2023-03-01T06:31:08.000Z onramp created settled'.split(
    ' ',
  ),
  ...'day,currency csv xlsx ndjson INR __proto__ constructor eyJ9 .. . %2e%2e %00 %ff %zz %E2%80%AE %25%32%65'.split(
    ' ',
  ),
  ...'a%2Fb a;b a=b=c * ; [] %5B%5D {{7*7}} ${x} <a> %3Cscript%3E \\..\\ ~root'.split(' '),
  'ab'.repeat(32),
  'a'.repeat(3_000),
  '%F0%9F%98%80'.repeat(40),
  '',
];

const HEADERS: readonly (readonly [string, readonly string[]])[] = [
  ['Accept', ['*/*', 'text/csv', 'application/x-ndjson', 'text/csv;q=0, */*;q=NaN', `${'a/b,'.repeat(500)}c/d`, '']],
  ['Accept-Encoding', ['gzip, br', 'identity;q=0', '*']],
  ['Accept-Language', ['de', 'xx-', 'en-'.repeat(300), '*;q=0']],
  ['Range', ['bytes=0-', 'bytes=-1', 'bytes=9-1', `bytes=${'0-1,'.repeat(500)}`, 'lines=1']],
  ['If-None-Match', ['*', '"a"', 'W/"a"', '"a",'.repeat(500)]],
  ['If-Modified-Since', ['Thu, 01 Jan 1970 00:00:00 GMT', 'never']],
  ['Last-Event-ID', ['0', '-1', '1:2', 'x'.repeat(500)]],
  ['X-Position', ['0', '1', '99999999999999999999', '\u00ff']],
  ['X-Request-ID', ['request-12345678', 'a b', '\u00e9'.repeat(200)]],
  ['Traceparent', [`00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`, '00-0-0-00']],
  ['X-Forwarded-For', ['1.2.3.4', '::1, unknown', 'a'.repeat(500)]],
  ['X-Forwarded-Proto', ['https']],
  ['X-HTTP-Method-Override', ['DELETE']],
  ['Sec-Fetch-Site', ['same-origin', 'cross-site']],
  ['Origin', ['null', 'http://evil.example', 'http://[', 'http://127.0.0.1']],
  ['Expect', ['100-continue', 'x']],
  ['Upgrade', ['websocket', 'h2c']],
  ['HTTP2-Settings', ['AAMAAABkAAQAAP__']],
  ['Content-Encoding', ['gzip', 'deflate, br', 'identity']],
  ['Content-Type', ['text/html', 'application/json;charset=x;charset=y', 'multipart/form-data', ';']],
  ['Keep-Alive', ['timeout=99999']],
  ['Cookie', ['ramp-ledger-session=a.1.b.c', 'a', '=;=;=', 'a=b;'.repeat(1_000)]],
  ['Authorization', ['Basic YTpi', `Bearer ${' '.repeat(4_000)}\u00a0`, 'Bearer', 'bearer x']],
  ['Host', ['evil.example', 'localhost:1', '[::1]', 'a@b', '', '127.0.0.1\u00a0']],
];

const HOST = 'Host: 127.0.0.1';

const chunked = (bytes: Buffer, { below, happens }: Chance): Buffer => {
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length;) {
    const length = Math.min(bytes.length - at, 1 + below(bytes.length));
    const extension = happens(200) ? ';a="b;c"' : '';
    parts.push(
      Buffer.from(`${length.toString(16)}${extension}\r\n`),
      bytes.subarray(at, at + length),
      Buffer.from('\r\n'),
    );
    at += length;
  }
  parts.push(Buffer.from(happens(200) ? '0\r\nX-Trailer: a\r\nContent-Length: 5\r\n\r\n' : '0\r\n\r\n'));
  return Buffer.concat(parts);
};

/** How a body is told of and sent: rightly most of the time. */
const framed = (body: Buffer, chance: Chance): SentBody & { readonly isWhole: boolean } => {
  const { below, happens, one } = chance;
  const length = (bytes: number): string => `Content-Length: ${bytes}`;
  const CHUNKED = 'Transfer-Encoding: chunked';
  const other = body.length + 1 + below(50);
  switch (below(40)) {
    case 3:
      return { headers: [length(other)], bytes: body, isWhole: false };
    case 4:
      return { headers: [length(below(body.length + 1))], bytes: body, isWhole: false };
    case 5:
      return { headers: [length(body.length), CHUNKED], bytes: one([body, chunked(body, chance)]), isWhole: false };
    case 6:
      return { headers: [length(body.length), length(other)], bytes: body, isWhole: false };
    case 7: {
      const te = one([
        'chunked, gzip',
        'gzip, chunked',
        'xchunked',
        'chunked, chunked',
        ' chunked',
        'identity',
        '\u000bchunked',
      ]);
      return { headers: [`Transfer-Encoding: ${te}`], bytes: chunked(body, chance), isWhole: false };
    }
    case 8: {
      const bytes = Buffer.concat([
        Buffer.from(one(['-1', 'fffffffffffffffff', 'zz', '0x5', ' 5', '5 '])),
        Buffer.from('\r\n'),
        body,
      ]);
      return { headers: [CHUNKED], bytes, isWhole: false };
    }
    case 9:
      return {
        headers: [length(body.length).replace(': ', one([' : ', ':+', ': 0', ':\t', ': -']))],
        bytes: body,
        isWhole: false,
      };
    default:
      if (happens(300)) return { headers: [CHUNKED], bytes: chunked(body, chance), isWhole: true };
      return { headers: [length(body.length)], bytes: body, isWhole: true };
  }
};

/** Paths that cost little to answer. */
const CHEAP: KnownPlaces['routes'] = [
  ['POST', '/v1/webhooks'],
  ['GET', '/livez'],
  ['GET', '/readyz'],
  ['GET', '/v1/orders/{orderId}'],
  ['GET', '/v1/nothing/{a}'],
  ['POST', '/v1/statements'],
];

/**
 * Makes requests to every place with whatever a request can hold: right and wrong methods, targets, headers twice, on and
 * behind several lines, cookies, keys, bodies of every kind in right and wrong frames; some of them are then changed byte by
 * byte. Those that are not deep are for the parser of HTTP and for what comes before a key is proved: a hundred go in the
 * time of one that is.
 */
export const requestSource = (
  places: KnownPlaces,
  chance: Chance,
): ((isDeep: boolean, isLast: boolean) => FuzzedRequest) => {
  const { below, happens, among, one } = chance;
  const nextBody = bodySource(chance);
  const value = (): string =>
    happens(50) ? encodeURIComponent(String.fromCodePoint(below(0xd800))) : among(VALUES, '');
  const query = (): string =>
    Array.from({ length: below(4) }, () => `${among(places.parameters, 'q')}=${value()}`).join(
      one(['&', '&', '&', ';', '&&']),
    );
  const place = (isDeep: boolean): readonly [method: string, target: string] => {
    if (isDeep && happens(200)) return ['GET', among(places.links, '/')];
    if (isDeep && happens(150)) return ['POST', among(places.actions, '/')];
    const [method, path] = among(isDeep ? places.routes : CHEAP, ['GET', '/'] as const);
    const filled = path.replaceAll(/\{\w+\}/g, value);
    return [method, happens(500) ? `${filled}?${query()}` : filled];
  };
  const target = (of: string): string => {
    if (happens(960)) return of;
    return one([
      `http://127.0.0.1${of}`,
      `//127.0.0.1${of}`,
      `${of}?a=${'x'.repeat(below(20_000))}`,
      `/${'../'.repeat(below(50))}${of}`,
      `${of}#a`,
      '*',
      'http://[',
      `http://u:p@h${of}`,
      `${of}\u00e9`,
      of.replaceAll('/', '//'),
      of.replaceAll('/', '%2f'),
      '127.0.0.1:80',
      '',
    ]);
  };
  const beside = (): readonly string[] => {
    const lines = Array.from({ length: happens(5) ? below(150) : below(4) }, () => {
      const [name, values] = among(HEADERS, ['X', ['']] as const);
      const text = among(values, '');
      return happens(30) ? `${name}: ${text}\r\n\tb` : `${name}: ${text}`;
    });
    if (happens(20)) lines.push(...lines);
    if (happens(5)) lines.push(`X-Large: ${'x'.repeat(below(40_000))}`);
    if (happens(10))
      lines.push(one([':', 'a', 'a b: c', ' a: b', 'a\u0000: b', 'a: \u0001', `${'x'.repeat(5_000)}: y`]));
    return lines;
  };
  const shown = (to: string): readonly string[] => {
    if (happens(50)) return [];
    return [to.startsWith('/v1') ? `Authorization: Bearer ${API_KEY}` : `Cookie: ${places.cookie}`];
  };
  const change = changer([Buffer.from(`GET / HTTP/1.1\r\n${HOST}\r\n\r\n`)], chance);
  return (isDeep, isLast) => {
    const [usual, to] = place(isDeep);
    const method = happens(970) ? usual : among(METHODS, 'GET');
    const { headers: about, bytes: sent } =
      method === 'GET' || method === 'HEAD' ? { headers: [], bytes: Buffer.alloc(0) } : nextBody(to, places.token);
    const frame =
      sent.length === 0 && happens(950) ? { headers: [], bytes: sent, isWhole: true } : framed(sent, chance);
    const asked = target(to);
    const others = beside();
    const lines = [
      `${method} ${asked} HTTP/${happens(980) ? '1.1' : one(['1.0', '0.9', '2.0', '1.1 ', '9.9'])}`,
      ...(happens(980) ? [HOST] : []),
      ...(isDeep ? shown(to) : []),
      ...about,
      ...frame.headers,
      ...others,
      ...(isLast ? ['Connection: close'] : []),
    ];
    const bytes = Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), frame.bytes]);
    if (happens(isDeep ? 100 : 300)) return { bytes: change(bytes), isWhole: false };
    // What is asked in a plain way of the interface; all else may end a connection early.
    const isPlain = asked === to && method === usual && lines[0]?.endsWith(' HTTP/1.1') === true && others.length === 0;
    return { bytes, isWhole: frame.isWhole && isPlain };
  };
};

import type * as TE from 'fp-ts/lib/TaskEither.js';
import type { Reader } from '../access/reader.ts';
import type { RequestId } from '../domain/ids.ts';
import type { Instant } from '../domain/instant.ts';
import type { QueryFailure } from '../queries/failure/query-failure.ts';
import type { PersonalData } from '../queries/masking/personal-data.ts';
import type { Html } from './html.ts';
import type { Times } from './local-time.ts';
import type { PageAnswer } from './page.ts';
import type { Session } from './session.ts';
import type { UploadedFile } from './upload/uploaded-form.ts';

/** What is asked for by somebody who has signed in. */
export type ConsoleQuestion = {
  readonly session: Session;
  /** Who has signed in, for as long as the session lasts and its key is valid. */
  readonly reader: Reader;
  readonly personal: PersonalData;
  readonly path: string;
  /** As it came, without the question mark. */
  readonly querystring: string;
  /** Fields of the form that was sent; empty where the page is just looked at. */
  readonly form: ReadonlyMap<string, string>;
  /** The file that came with it; null where none came whole. */
  readonly file: UploadedFile | null;
  /** Whether it was larger than it may be. */
  readonly isTooLarge: boolean;
  readonly times: Times;
  readonly now: Instant;
  readonly requestId: RequestId;
  /** Of a stream of live events: the last one that its reader has; empty where there is none. */
  readonly lastEventId: string;
  /** Where the console answers, as its user sees it: `https://ledger.example`. */
  readonly origin: string;
  /** Whether it is asked for by somebody on this machine, as far as the request shows it. */
  readonly isFromThisMachine: boolean;
};

/** A page of the console, and who may see it. */
export type ConsoleRoute = {
  readonly method: 'get' | 'post';
  /** `/console/orders/{orderId}` */
  readonly path: string;
  /** The key that was signed in with needs each of them, as for the API (docs/spec/http.md, Keys and scopes). */
  readonly scopes: readonly string[];
  /** Whether what it shows may be some MB, or long in the making, so that it is made in another thread where there is one. */
  readonly isLarge?: true | ((question: ConsoleQuestion) => TE.TaskEither<QueryFailure, boolean>);
  /** Whether it says how the ledger is, of which the thread that receives knows. */
  readonly saysHealth?: true;
  /** How large the file may be that its form brings, in bytes; left out: it brings none. */
  readonly mostFileBytes?: number;
  /** The form that its URL comes from, filled with what was typed: it is shown again where that can't be answered. */
  readonly form?: (texts: ReadonlyMap<string, string>, question: ConsoleQuestion) => Html;
  /** Where else something of it may be known, shown where there is no such thing; null: nowhere that whoever asks may see. */
  readonly elsewhere?: (question: ConsoleQuestion) => Html | null;
  readonly answer: (question: ConsoleQuestion) => TE.TaskEither<QueryFailure, PageAnswer>;
};

import * as t from 'io-ts';
import { guarded } from '../domain/guarded.ts';

/** What a thread is told: to answer a question, something to take note of, to say that it is there, to end. */
export type ToThread<Question, Note> =
  | { readonly _tag: 'Ask'; readonly id: number; readonly question: Question }
  | { readonly _tag: 'Tell'; readonly note: Note }
  | { readonly _tag: 'Ping' }
  | { readonly _tag: 'Close' };

/** What a thread says: that it works, the answer to a question, that one failed, that it is there, something new. */
export type FromThread<Answer, News> =
  | { readonly _tag: 'Ready' }
  | { readonly _tag: 'Answer'; readonly id: number; readonly answer: Answer }
  | { readonly _tag: 'Failed'; readonly id: number; readonly detail: string }
  | { readonly _tag: 'Pong' }
  | { readonly _tag: 'News'; readonly news: News };

/** What both ends of a thread read from each other. */
export type Protocol<Question, Answer, Note, News> = {
  readonly isToThread: t.Is<ToThread<Question, Note>>;
  readonly isFromThread: t.Is<FromThread<Answer, News>>;
};

/**
 * Messages that are told apart by their tags, all of which have to be named. What stands behind a tag is not looked at: both
 * ends are one program of one version, and compiled against one type.
 */
export const tagged = <A extends { readonly _tag: string }>(tags: Readonly<Record<A['_tag'], true>>): t.Type<A> =>
  guarded(
    'message',
    (u): u is A =>
      typeof u === 'object' && u !== null && '_tag' in u && typeof u._tag === 'string' && Object.hasOwn(tags, u._tag),
  );

/** Of a thread that is sent no messages of some kind, or sends none. */
export const none: t.Type<never> = guarded('no message', (u): u is never => u === undefined && false);

/** The protocol of a thread, from the codecs of what it is asked, answers, is told and tells. */
export const protocol = <Question, Answer, Note, News>(codecs: {
  readonly question: t.Type<Question>;
  readonly answer: t.Type<Answer>;
  readonly note: t.Type<Note>;
  readonly news: t.Type<News>;
}): Protocol<Question, Answer, Note, News> => ({
  isToThread: t.union([
    t.type({ _tag: t.literal('Ask'), id: t.number, question: codecs.question }),
    t.type({ _tag: t.literal('Tell'), note: codecs.note }),
    t.type({ _tag: t.literal('Ping') }),
    t.type({ _tag: t.literal('Close') }),
  ]).is,
  isFromThread: t.union([
    t.type({ _tag: t.literal('Ready') }),
    t.type({ _tag: t.literal('Answer'), id: t.number, answer: codecs.answer }),
    t.type({ _tag: t.literal('Failed'), id: t.number, detail: t.string }),
    t.type({ _tag: t.literal('Pong') }),
    t.type({ _tag: t.literal('News'), news: codecs.news }),
  ]).is,
});

import type { MessagePort } from 'node:worker_threads';
import type { FromThread, Protocol } from './thread-message.ts';

/** What a thread does. */
type ThreadWork<Question, Answer, Note> = {
  readonly answer: (question: Question) => Promise<Answer> | Answer;
  /** What of an answer is handed over, not copied: it is gone here then. */
  readonly transfer?: (answer: Answer) => readonly ArrayBuffer[];
  readonly onNote: (note: Note) => void;
  /** Lets go of files and connections. */
  readonly close: () => Promise<void> | void;
};

/** The thread's own end. */
export type ThreadEnd<Question, Answer, Note, News> = {
  readonly tell: (news: News) => void;
  /** Says that it works, and answers from now on; what came before has waited. */
  readonly serve: (work: ThreadWork<Question, Answer, Note>) => void;
};

/** The end of a thread at its port. When it is told to end it closes, and then ends, whatever it still waits for. */
export const threadEnd = <Question, Answer, Note, News>(
  port: MessagePort,
  { isToThread }: Protocol<Question, Answer, Note, News>,
): ThreadEnd<Question, Answer, Note, News> => {
  const post = (message: FromThread<Answer, News>, transfer: readonly ArrayBuffer[] = []): void =>
    port.postMessage(message, [...transfer]);
  const answered = async (
    id: number,
    question: Question,
    { answer, transfer }: ThreadWork<Question, Answer, Note>,
  ): Promise<void> => {
    try {
      const made = await answer(question);
      post({ _tag: 'Answer', id, answer: made }, transfer?.(made));
    } catch (error) {
      post({ _tag: 'Failed', id, detail: String(error) });
    }
  };
  return {
    tell: (news) => post({ _tag: 'News', news }),
    serve: (work) => {
      port.on('message', (message: unknown) => {
        if (!isToThread(message)) throw new Error('a thread was told what is no message');
        if (message._tag === 'Ask') void answered(message.id, message.question, work);
        else if (message._tag === 'Tell') work.onNote(message.note);
        else if (message._tag === 'Ping') post({ _tag: 'Pong' });
        else void ended(work);
      });
      post({ _tag: 'Ready' });
    },
  };
};

/** Of a thread this ends nothing but itself. Connections that a silent network keeps open would keep it alive. */
const ended = async ({ close }: Pick<ThreadWork<never, never, never>, 'close'>): Promise<void> => {
  await close();
  process.exit();
};

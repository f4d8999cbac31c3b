import { protocol, tagged } from '../../src/threads/thread-message.ts';

type TestQuestion =
  | { readonly _tag: 'Echo'; readonly text: string }
  | { readonly _tag: 'Throw' }
  | { readonly _tag: 'Die' }
  /** Has no answer. */
  | { readonly _tag: 'Wait' }
  /** Has no answer, and lets nothing else be done. */
  | { readonly _tag: 'Spin' }
  /** Lets nothing else be done until the gate is not 0, and is answered then. */
  | { readonly _tag: 'Hold'; readonly gate: Int32Array };
type TestAnswer = { readonly _tag: 'Echoed'; readonly text: string };
type TestNote =
  | { readonly _tag: 'Hear'; readonly text: string }
  /** Lets nothing else be done until the gate is not 0. */
  | { readonly _tag: 'Stand'; readonly gate: Int32Array };
type TestNews = { readonly _tag: 'Heard'; readonly text: string };

export const testProtocol = protocol({
  question: tagged<TestQuestion>({ Echo: true, Throw: true, Die: true, Wait: true, Spin: true, Hold: true }),
  answer: tagged<TestAnswer>({ Echoed: true }),
  note: tagged<TestNote>({ Hear: true, Stand: true }),
  news: tagged<TestNews>({ Heard: true }),
});

/** How the thread under test is started. */
export const testThread = (data: 'closes' | 'never closes' = 'closes') => ({
  name: 'test',
  file: new URL('./thread-under-test.ts', import.meta.url),
  data,
  protocol: testProtocol,
});

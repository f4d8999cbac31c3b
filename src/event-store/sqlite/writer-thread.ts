import { parentPort, receiveMessageOnPort, workerData, type MessagePort } from 'node:worker_threads';
import * as E from 'fp-ts/lib/Either.js';
import { packAnswers, readRequests, type FramedAppend, type WriterAnswer } from './append-frame.ts';
import { EVENTS_ALONE, secondName, type SecondName } from '../second-name.ts';
import { openDatabase } from './open-database.ts';
import { Writer, type BatchOutcome } from './writer.ts';
import {
  isToWriter,
  isWriterOptions,
  type FromWriter,
  type NotWritable,
  type ToWriter,
  type WriterOptions,
} from './writer-message.ts';

const LOOK_EVERY_MS = 1_000;

/** A folder that can't be read now is looked at again; what is not there is told of as moved. */
const nameOf = (file: string): SecondName | null => {
  try {
    return secondName(file, EVENTS_ALONE);
  } catch {
    return null;
  }
};

type Write = Extract<ToWriter, { _tag: 'Write' }>;

function* all(writes: readonly Write[]): Generator<FramedAppend> {
  for (const { frame, count } of writes) yield* readRequests(Buffer.from(frame), count);
}

/** What arrived while the last commit ran: all of it goes into the next one. */
const waiting = (port: MessagePort, first: ToWriter): ToWriter[] => {
  const messages = [first];
  for (let next = receiveMessageOnPort(port); next !== undefined; next = receiveMessageOnPort(port)) {
    const message: unknown = next.message;
    if (isToWriter(message)) messages.push(message);
  }
  return messages;
};

const STATES: Readonly<Record<Exclude<BatchOutcome['_tag'], 'Committed'>, NotWritable>> = {
  Full: 'full',
  ReadOnly: 'read-only',
  Failed: 'failed',
};

const answerWrites = (port: MessagePort, writes: readonly Write[], outcome: BatchOutcome, tookMs: number): void => {
  let from = 0;
  let commitMs: number | null = tookMs;
  for (const { frame, count } of writes) {
    const answers: readonly WriterAnswer[] =
      outcome._tag === 'Committed' ? outcome.answers.slice(from, from + count) : [];
    from += count;
    if (outcome._tag === 'Committed') {
      const packed = packAnswers(answers);
      port.postMessage({ _tag: 'Committed', answers: packed, frame, commitMs } satisfies FromWriter, [
        packed.buffer,
        frame,
      ]);
      commitMs = null;
    } else {
      const { detail } = outcome;
      const state = STATES[outcome._tag];
      port.postMessage({ _tag: 'NotCommitted', state, detail, frame } satisfies FromWriter, [frame]);
    }
  }
};

const probed = (outcome: BatchOutcome): FromWriter =>
  outcome._tag === 'Committed'
    ? { _tag: 'Probed', state: 'writable', detail: '' }
    : { _tag: 'Probed', state: STATES[outcome._tag], detail: outcome.detail };

/**
 * Looks at the file each second, so that a ledger to which nothing comes tells of it too.
 *
 * @returns ends the looking
 */
const watch = (port: MessagePort, writer: Writer, file: string): (() => void) => {
  let hasSecondName = false;
  const timer = setInterval(() => {
    const detail = writer.look();
    if (detail !== null) {
      clearInterval(timer);
      port.postMessage({ _tag: 'Stopped', detail } satisfies FromWriter);
      return;
    }
    const readOnly = writer.lookForReadOnly();
    if (readOnly !== null)
      port.postMessage({ _tag: 'Probed', state: 'read-only', detail: readOnly } satisfies FromWriter);
    const second = hasSecondName ? null : nameOf(file);
    if (second === null) return;
    hasSecondName = true;
    port.postMessage({ _tag: 'SecondName', ...second } satisfies FromWriter);
  }, LOOK_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
};

const serve = (port: MessagePort, options: WriterOptions): void => {
  const opened = openDatabase(options.file);
  if (E.isLeft(opened)) {
    port.postMessage({ _tag: 'NotOpened', reason: opened.left } satisfies FromWriter);
    return;
  }
  const database = opened.right;
  const writer = new Writer(database, options.locks);
  const unwatch = watch(port, writer, options.file);
  port.on('message', (first: ToWriter) => {
    const messages = waiting(port, first);
    const writes = messages.filter((message) => message._tag === 'Write');
    if (writes.length > 0) {
      const start = performance.now();
      const outcome = writer.write(all(writes), Date.now());
      answerWrites(port, writes, outcome, performance.now() - start);
    }
    for (const message of messages) {
      if (message._tag === 'Probe') port.postMessage(probed(writer.probe()));
      if (message._tag === 'Close') {
        unwatch();
        database.close();
        writer.close();
        port.close();
      }
    }
  });
  port.postMessage({ _tag: 'Opened' } satisfies FromWriter);
};

const options: unknown = workerData;
if (parentPort !== null && isWriterOptions(options)) serve(parentPort, options);

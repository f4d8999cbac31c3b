import * as E from 'fp-ts/lib/Either.js';
import type { Metadata } from '@grpc/grpc-js';
import { errorOf } from './faults.ts';
import { inTheWay, type Node } from './node.ts';
import type { AppendOutcome, AppendRequest } from './perform-append.ts';
import type { ServerError } from './server-error.ts';

/** One append under way: where it came from, and how its answer goes out. */
export type AppendUnderWay = {
  readonly request: AppendRequest;
  readonly metadata: Metadata;
  /** The client's end of the connection, written `address:port`. */
  readonly peer: string;
  readonly answer: (outcome: E.Either<ServerError, AppendOutcome>) => void;
};

/** Performs an append and answers it, but for what the faults say. */
export const serveAppend = (node: Node, append: AppendUnderWay): void => {
  const { plan } = node;
  const serve = (): void => {
    const obstacle = inTheWay(node, 'append', append.metadata);
    if (obstacle === 'silence') return;
    if (obstacle !== null) {
      append.answer(E.left(obstacle));
      return;
    }
    const fault = plan.takeAppendFault();
    const performed = fault !== null && 'performed' in fault && !fault.performed ? null : node.perform(append.request);
    switch (fault?._tag) {
      case 'NeverAnswer':
        return;
      case 'DropConnection':
        node.dropConnectionOf(append.peer);
        return;
      case 'Refuse':
        append.answer(E.left(errorOf(fault.refusal)));
        return;
      case 'HoldAnswer':
        if (performed !== null) plan.hold(() => append.answer(performed));
        return;
      case 'AnswerTwice':
        if (performed !== null) append.answer(performed);
        break;
      case undefined:
        break;
    }
    if (performed !== null) append.answer(performed);
  };
  plan.whenThawed(() => plan.inOrder(serve));
};

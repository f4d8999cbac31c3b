import { Readable } from 'node:stream';
import { expect } from 'chai';
import type { CommandContext, Terminal } from '../../src/cli/command-context.ts';
import { instantOf } from '../../src/domain/instant.ts';

/** A terminal that keeps what is written to it. */
export type GatheringTerminal = {
  readonly terminal: Terminal;
  readonly bytes: () => Buffer;
  /** Those bytes as text. */
  readonly out: () => string;
  readonly err: () => string;
};

/** @param stdin what comes on standard input */
export const gatheringTerminal = ({
  interactive = false,
  width = null,
  stdin = Buffer.alloc(0),
}: {
  readonly interactive?: boolean;
  readonly width?: number | null;
  readonly stdin?: Buffer;
} = {}): GatheringTerminal => {
  const out: Buffer[] = [];
  let err = '';
  return {
    terminal: {
      out: (text) => out.push(Buffer.from(text)),
      note: (text) => (err += text),
      draw: (text) => (err += text),
      pipeOut: async (bytes) => {
        for await (const piece of bytes) out.push(Buffer.from(piece));
      },
      outIsLost: false,
      input: () => Readable.from([stdin]),
      interactive,
      width,
      coloured: false,
    },
    bytes: () => Buffer.concat(out),
    out: () => Buffer.concat(out).toString(),
    err: () => err,
  };
};

const notAsked = (): never => expect.fail('nothing of the ledger is needed');

/** A context for commands that need nothing of a ledger but what is given. */
export const contextOf = (terminal: Terminal, given: Partial<CommandContext> = {}): CommandContext => ({
  terminal,
  now: () => instantOf(0),
  newRequestId: notAsked,
  beginDraft: notAsked,
  outFault: notAsked,
  openLedger: notAsked,
  openForMigration: notAsked,
  backUp: notAsked,
  restore: notAsked,
  importPast: notAsked,
  openChains: notAsked,
  openUpstream: notAsked,
  diagnose: notAsked,
  serve: notAsked,
  sandbox: notAsked,
  demo: notAsked,
  ...given,
});

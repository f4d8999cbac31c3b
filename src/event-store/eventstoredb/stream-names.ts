import { isStreamOfLedger, STREAM_KINDS, type StreamName } from '../../domain/ids.ts';

/** The ledger's stream names there, which begin with its prefix; outside the adapter they are used without it. */
export class StreamNames {
  readonly #prefix: string;

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  there(stream: StreamName): string {
    return this.#prefix + stream;
  }

  /** The ledger's name of a stream there; null for a stream that is none of its own. */
  own(name: string): StreamName | null {
    if (!name.startsWith(this.#prefix)) return null;
    const rest = name.slice(this.#prefix.length);
    return isStreamOfLedger(rest) ? rest : null;
  }

  /** What the names of streams begin with, for a filter of the server: all of the ledger's, or those of a part of them. */
  prefixes(of: string = ''): string[] {
    return STREAM_KINDS.flatMap((kind) => {
      if (of.startsWith(kind)) return [this.#prefix + of];
      return kind.startsWith(of) ? [this.#prefix + kind] : [];
    });
  }
}

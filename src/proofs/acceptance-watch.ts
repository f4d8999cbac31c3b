import { endRequest, requestedAcceptance } from './files/accepted-losses.ts';
import { logFailed, type KeeperNews } from './keeper-news.ts';

/** How often it is looked whether somebody accepts a loss. */
const LOOK_EVERY_MS = 500;

/** While history is lost it is looked whether somebody asks to go on; commands ask by a file, since a ledger alone writes. */
export class AcceptanceWatch {
  readonly #dataDir: string;
  readonly #accept: (note: string) => boolean;
  readonly #tell: (news: KeeperNews) => void;
  #looking: NodeJS.Timeout | null = null;

  /** @param accept goes on without what is lost; false where nothing is lost, and the request then stays. May throw. */
  constructor(dataDir: string, accept: (note: string) => boolean, tell: (news: KeeperNews) => void) {
    this.#dataDir = dataDir;
    this.#accept = accept;
    this.#tell = tell;
  }

  start(): void {
    this.#looking ??= setInterval(() => this.#look(), LOOK_EVERY_MS).unref();
  }

  stop(): void {
    if (this.#looking !== null) clearInterval(this.#looking);
    this.#looking = null;
  }

  #look(): void {
    try {
      const note = requestedAcceptance(this.#dataDir);
      if (note !== null && this.#accept(note)) endRequest(this.#dataDir);
    } catch (error) {
      this.#tell(logFailed(error));
    }
  }
}

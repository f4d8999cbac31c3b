import type { Wavering } from '../../doctor/told-state.ts';

/** How an outage is told. */
export type OutageWriter = {
  /** It went away, for a reason. */
  readonly away: (problem: string) => void;
  /** It came back and went away again and again; told now and then. */
  readonly wavers: (wavering: Wavering) => void;
  /** It is there, and has been for a while without a break. */
  readonly back: (breaks: number) => void;
};

/** The time that this goes by. */
export type OutageTime = {
  /** Milliseconds since some moment, without a jump. */
  readonly elapsed: () => number;
  /** Calls once after so many ms; what it returns keeps it from that. */
  readonly after: (ms: number, call: () => void) => () => void;
};

export const outageTime: OutageTime = {
  elapsed: () => performance.now(),
  after: (ms, call) => {
    const timer = setTimeout(call, ms).unref();
    return () => clearTimeout(timer);
  },
};

/** Without a break for so long, it is back; longer where it went away again soon after that was told. */
const SETTLES_MS = { first: 5_000, longest: 60_000 } as const;

/** An outage so soon behind the end of another one belongs to the same trouble. */
const SOON_MS = 60_000;

const SAY_EVERY_MS = 30_000;

/**
 * The lines about something that may come and go many times a minute: that it went away is told at once, and that it is back
 * once it has stayed for some seconds. What comes and goes in between is counted, and told twice a minute at the most.
 */
export class OutageLines {
  readonly #write: OutageWriter;
  readonly #time: OutageTime;
  #outage: { problem: string; breaks: number; readonly since: number; saidAt: number } | null = null;
  #outages = 0;
  #isAway = false;
  #settlesMs: number = SETTLES_MS.first;
  #endedAt = -Infinity;
  #keepOpen: () => void = () => undefined;

  constructor(write: OutageWriter, time: OutageTime) {
    this.#write = write;
    this.#time = time;
  }

  /** It is away, for a reason, or there (null). */
  is(problem: string | null): void {
    if (problem === null) this.#isThere();
    else this.#isGone(problem);
  }

  /** Which outage goes on, the first being 1, until its end is told; null: none. */
  readonly told = (): number | null => (this.#outage === null ? null : this.#outages);

  /** How it comes and goes; null: it is there, or was away only once. */
  wavering(): Wavering | null {
    if (this.#outage === null || this.#outage.breaks === 1) return null;
    const { problem, breaks, since } = this.#outage;
    return { problem, breaks, seconds: Math.round((this.#time.elapsed() - since) / 1_000) };
  }

  #isGone(problem: string): void {
    this.#keepOpen();
    const wasAway = this.#isAway;
    this.#isAway = true;
    const now = this.#time.elapsed();
    if (this.#outage === null) {
      const isSoon = now - this.#endedAt < SOON_MS;
      this.#settlesMs = isSoon ? Math.min(2 * this.#settlesMs, SETTLES_MS.longest) : SETTLES_MS.first;
      this.#outages += 1;
      this.#outage = { problem, breaks: 1, since: now, saidAt: now };
      this.#write.away(problem);
      return;
    }
    this.#outage.problem = problem;
    if (wasAway) return;
    this.#outage.breaks += 1;
    const wavering = this.wavering();
    if (wavering === null || now - this.#outage.saidAt < SAY_EVERY_MS) return;
    this.#outage.saidAt = now;
    this.#write.wavers(wavering);
  }

  #isThere(): void {
    if (!this.#isAway) return;
    this.#isAway = false;
    this.#keepOpen = this.#time.after(this.#settlesMs, () => {
      const breaks = this.#outage?.breaks ?? 1;
      this.#outage = null;
      this.#endedAt = this.#time.elapsed();
      this.#write.back(breaks);
    });
  }
}

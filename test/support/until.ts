import { setTimeout as after } from 'node:timers/promises';

const LOOK_EVERY_MS = 25;

/** Asks again and again until the answer is not null; one that stays null fails the test. */
export const until = async <A>(ms: number, what: string, ask: () => Promise<A | null>): Promise<A> => {
  const giveUpAt = Date.now() + ms;
  for (;;) {
    const answer = await ask();
    if (answer !== null) return answer;
    if (Date.now() > giveUpAt) throw new Error(`waited ${ms / 1000} s for ${what}`);
    await after(LOOK_EVERY_MS);
  }
};

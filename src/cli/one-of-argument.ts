import { Argument, InvalidArgumentError } from 'commander';
import { nearest } from '../domain/nearest.ts';

/**
 * An argument that is one of some words; a wrong one gets the nearest right one suggested (docs/spec/command-line.md,
 * Output).
 */
export const oneOfArgument = (name: string, description: string, words: readonly string[]): Argument =>
  new Argument(name, description).choices(words).argParser((text) => {
    const word = words.find((one) => one === text);
    if (word !== undefined) return word;
    const near = nearest(text, words);
    const hint = near === null ? '' : ` (Did you mean ${near}?)`;
    throw new InvalidArgumentError(`Allowed choices are ${words.join(', ')}.${hint}`);
  });

import { InvalidArgumentError, Option } from 'commander';

/** What elsewhere stands for standard output, as it does for `backup`, which writes nothing beside it. */
export const STANDARD_OUTPUT = '-';

/**
 * `--out FILE` of a command that writes a manifest beside FILE, which must be given. Standard output is refused as wrong
 * usage: nothing can stand beside it, and who asks for it would find the file under the name `-`, and in the pipe a summary.
 *
 * @param description what help says of it
 * @param example a name that fits the command
 */
export const outFileOption = (description: string, example: string): Option =>
  new Option('--out <file>', description).makeOptionMandatory().argParser((file) => {
    if (file !== STANDARD_OUTPUT) return file;
    throw new InvalidArgumentError(
      `A manifest is written beside the file, so that it can't be standard output: name a file, --out ${example} say.`,
    );
  });

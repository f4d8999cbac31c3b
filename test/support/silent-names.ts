import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** A name that the system is asked for and never answers, in a process with such names. */
export const SILENT_NAME = 'silent-name';

/** Names that nobody answers. */
export type SilentNames = {
  /** The environment of a process that asks for them. */
  readonly env: Readonly<Record<string, string>>;
  /** Whether one was asked for by now. */
  readonly areAsked: () => boolean;
};

/** Loaded into each thread before all else: tells that a name was asked for. */
const tellingAt = (file: string): string => `import dns from 'node:dns';
import { writeFileSync } from 'node:fs';
for (const asked of [dns, dns.promises]) {
  const { lookup } = asked;
  asked.lookup = (name, ...rest) => {
    const answer = lookup(name, ...rest);
    if (name === '${SILENT_NAME}') writeFileSync(${JSON.stringify(file)}, '');
    return answer;
  };
}`;

/**
 * Makes the system's resolver give no answer, as where no name server does: the C library looks into a file of aliases for a name
 * without a dot, and this one is a pipe that nobody writes to. It needs neither a network nor rights.
 *
 * @param pipe where the pipe is made; beside it stands what was asked for
 */
export const silentNames = (pipe: string): SilentNames => {
  const asked = `${pipe}.asked`;
  execFileSync('mkfifo', [pipe]);
  return {
    env: {
      HOSTALIASES: pipe,
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(tellingAt(asked))}`,
    },
    areAsked: () => existsSync(asked),
  };
};

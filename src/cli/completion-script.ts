import type { Command } from 'commander';

/** What may follow a command on the line: sub-commands, options, words that an argument or option may be, and whether files. */
type Completed = { readonly path: readonly string[]; readonly words: readonly string[]; readonly files: boolean };

export const SHELLS = ['bash', 'zsh', 'fish'] as const;

export type Shell = (typeof SHELLS)[number];

const wordsOf = (command: Command): readonly string[] => [
  ...command.commands.map((inner) => inner.name()),
  ...command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
  ...command.options.flatMap(({ long, argChoices }) => [...(long === undefined ? [] : [long]), ...(argChoices ?? [])]),
  '--help',
];

const completed = (command: Command, path: readonly string[] = []): readonly Completed[] => [
  {
    path,
    words: [...new Set(wordsOf(command))],
    files: command.options.some(({ flags }) => flags.includes('<file>')),
  },
  ...command.commands.flatMap((inner) => completed(inner, [...path, inner.name()])),
];

const functionOf = (name: string): string => `_${name.replaceAll('-', '_')}`;

const pathsOf = (all: readonly Completed[]): readonly string[] =>
  all.flatMap(({ path }) => (path.length === 0 ? [] : [`'${path.join(' ')}'`]));

/**
 * A script for bash. It offers what may follow the command, or sub-command, that the line begins with; the shell itself
 * completes files. zsh runs it too, so that no variable of it may have a name that means something to zsh (`path`, `words`).
 */
const bash = (name: string, all: readonly Completed[]): string => {
  const cases = all.map(({ path, words }) => `    '${path.join(' ')}') offered='${words.join(' ')}' ;;`).join('\n');
  return `${functionOf(name)}() {
  local offered='' at='' word next
  for word in "\${COMP_WORDS[@]:1:$((COMP_CWORD - 1))}"; do
    next="\${at:+$at }$word"
    case "$next" in ${pathsOf(all).join('|')}) at=$next ;; esac
  done
  case "$at" in
${cases}
  esac
  COMPREPLY=($(compgen -W "$offered" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F ${functionOf(name)} ${name}
`;
};

/** Runs bash's script; a shell that completes nothing yet begins with it. */
const zsh = (
  name: string,
  all: readonly Completed[],
): string => `(( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }
autoload -U +X bashcompinit && bashcompinit
${bash(name, all)}`;

const fish = (name: string, all: readonly Completed[]): string => {
  const at = `_${functionOf(name)}_at`;
  const lines = all.map(({ path, words, files }) => {
    const noFiles = files ? '' : ' -f';
    return `complete -c ${name}${noFiles} -n '${at} "${path.join(' ')}"' -a '${words.join(' ')}'`;
  });
  return `function ${at}
  set -l at
  set -l line (commandline -opc)
  for word in $line[2..-1]
    switch (string join -- ' ' $at $word)
      case ${pathsOf(all).join(' ')}
        set at $at $word
    end
  end
  test "$at" = "$argv[1]"
end
${lines.join('\n')}
`;
};

/** A script that completes the command line of a program, made of the program itself. */
export const completionScript = (program: Command, shell: Shell): string => {
  const all = completed(program);
  const name = program.name();
  return { bash, zsh, fish }[shell](name, all);
};

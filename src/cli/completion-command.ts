import { Command } from 'commander';
import type { CommandContext } from './command-context.ts';
import { completionScript, SHELLS, type Shell } from './completion-script.ts';
import { oneOfArgument } from './one-of-argument.ts';

const EXAMPLES = `
Examples:
  source <(ramp-ledger completion bash)                                  for this shell
  ramp-ledger completion zsh >> ~/.zshrc                                 for every zsh from now on
  ramp-ledger completion fish > ~/.config/fish/completions/ramp-ledger.fish
`;

/** `completion SHELL`: a script that lets a shell complete commands, options and their words. */
export const completionCommand = ({ terminal }: Pick<CommandContext, 'terminal'>): Command => {
  const command = new Command('completion');
  return command
    .description('print a script that completes this command line in a shell')
    .addArgument(oneOfArgument('<shell>', 'which shell', SHELLS))
    .addHelpText('after', EXAMPLES)
    .action((shell: Shell) => {
      terminal.out(completionScript(command.parent ?? command, shell));
    });
};

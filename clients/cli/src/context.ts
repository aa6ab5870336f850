import type { Command } from 'commander';
import type { Clock } from '@holdfast/kernel/context';
import type { Environment } from '@holdfast/process/config';
import { findPlatform, type Given, type Platform } from './find-platform.js';
import { createOutput, type Output } from './output.js';

/** What a command is given. */
export type Context = {
  readonly env: Environment;
  readonly clock: Clock;
  /** Ends with 0 unless a command says otherwise. */
  readonly setExitCode: (code: number) => void;
  /** Aborted by Ctrl-C. Only a command that asks for it continues after a signal. */
  readonly stopSignal: () => AbortSignal;
};

type GlobalOptions = Given & { readonly json?: boolean; readonly marketplace?: string };

export function globalsOf(command: Command): GlobalOptions {
  return command.optsWithGlobals<GlobalOptions>();
}

export function outputOf(command: Command): Output {
  return createOutput(globalsOf(command).json === true);
}

export function platformOf(context: Context, command: Command, given: Given = {}): Platform {
  return findPlatform({ ...globalsOf(command), ...given }, context.env);
}

/** A line under the help. */
export function example(command: Command, ...lines: readonly string[]): Command {
  return command.addHelpText(
    'after',
    `\n${lines.length === 1 ? 'Example' : 'Examples'}:\n${lines.map((line) => `  ${line}`).join('\n')}`,
  );
}

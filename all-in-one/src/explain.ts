import { ConfigError } from '@holdfast/process/config';
import { AppError } from '@holdfast/kernel/errors';
import { CannotStart } from './data-folder/index.js';

/** The text for a program that cannot continue: a sentence for faults that a person can correct, the stack for bugs. */
export function explain(error: unknown): string {
  if (error instanceof CannotStart || error instanceof ConfigError) return error.message;
  if (error instanceof AppError) return `${error.message} (${causeOf(error)})`;
  if (!(error instanceof Error)) return String(error);
  return isOurFault(error) ? String(error.stack) : [error.message, ...causes(error)].join('\n  because: ');
}

function isOurFault(error: Error): boolean {
  return (
    error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError || error instanceof SyntaxError
  );
}

function causeOf(error: Error): string {
  return causes(error).at(-1) ?? error.name;
}

function causes(error: Error): readonly string[] {
  if (!(error.cause instanceof Error)) return [];
  return [error.cause.message, ...causes(error.cause)];
}

import { parseArgs } from 'node:util';

export type EmergencyOptions =
  { readonly command: 'status' } | { readonly command: 'stop' | 'resume'; readonly by: string; readonly reason: string };

/** Returns what is wrong as a text. */
export function parseEmergencyOptions([command, ...args]: readonly string[]): EmergencyOptions | string {
  if (command === 'status') return args.length === 0 ? { command } : 'status takes no options.';
  if (command !== 'stop' && command !== 'resume') return 'Say stop, resume or status.';
  const values = optionsIn(args);
  if (typeof values === 'string') return values;
  const { by = '', reason = '' } = values;
  if (by.trim() === '') return '--by is missing: the audit log names the person.';
  if (reason.trim() === '') return '--reason is missing: the audit log says why.';
  return { command, by, reason };
}

function optionsIn(args: readonly string[]): { readonly by?: string; readonly reason?: string } | string {
  try {
    return parseArgs({ args: [...args], options: { by: { type: 'string' }, reason: { type: 'string' } } }).values;
  } catch {
    return 'Only --by and --reason are understood, each with a text.';
  }
}

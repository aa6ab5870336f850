import type { Environment } from '@holdfast/process/config';
import { runCli } from '../run-cli.js';

export type Ran = { readonly code: number; readonly out: string; readonly err: string };

/** Runs a command line in this process, and takes what it prints. */
export async function runInProcess(args: readonly string[], env: Environment = {}): Promise<Ran> {
  const printed = { out: '', err: '' };
  const spies = [
    jest.spyOn(console, 'log').mockImplementation((text: unknown) => void (printed.out += `${String(text)}\n`)),
    jest.spyOn(console, 'error').mockImplementation((text: unknown) => void (printed.err += `${String(text)}\n`)),
    jest.spyOn(process.stdout, 'write').mockImplementation((text) => ((printed.out += String(text)), true)),
    jest.spyOn(process.stderr, 'write').mockImplementation((text) => ((printed.err += String(text)), true)),
  ];
  try {
    return { code: await runCli(args, { HOLDFAST_DATA_DIR: '/nowhere/holdfast', ...env }), ...printed };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { processEnvironment, type Environment } from '@holdfast/process/config';

const root = fileURLToPath(new URL('../../../', import.meta.url));

export type Ran = { readonly code: number; readonly out: string; readonly err: string };

/** Runs `holdfast` as it is built, with its two outputs apart. */
export function runHoldfast(env: Environment, ...args: readonly string[]): Promise<Ran> {
  return runFile(process.execPath, ['dist/holdfast.js', ...args], env);
}

export function runFile(file: string, args: readonly string[], env: Environment): Promise<Ran> {
  return new Promise((resolve) => {
    execFile(file, [...args], { cwd: root, env: { ...processEnvironment(), ...env } }, (error, out, err) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : error === null ? 0 : -1, out, err }),
    );
  });
}

/** The JSON that it printed. Fails with what it said instead. */
export async function jsonOf(env: Environment, ...args: readonly string[]) {
  const { code, out, err } = await runHoldfast(env, ...args, '--json');
  if (code !== 0) throw new Error(`holdfast ${args.join(' ')} ended with ${code}: ${err}`);
  return JSON.parse(out);
}

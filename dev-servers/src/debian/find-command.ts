import { execFileSync } from 'node:child_process';

const lookUpTimeoutMs = 5_000;

/** The path of a program, by its name or its absolute path. Uses the shell, which has the PATH of the environment. */
export function findCommand(name: string): string | undefined {
  try {
    const found = execFileSync('/bin/sh', ['-c', 'command -v "$1"', 'sh', name], { encoding: 'utf8', timeout: lookUpTimeoutMs });
    return found.trim();
  } catch {
    return undefined; // `command -v` fails when there is no such program
  }
}

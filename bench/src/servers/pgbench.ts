import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Side } from '../frame/measure.js';
import type { Sample } from '../frame/results.js';

const run = promisify(execFile);
const threads = 2;
const debianFolder = '/usr/lib/postgresql';
const initTimeoutMs = 120_000;
const roundMarginMs = 30_000;

/** The query protocol of pgbench: `simple` is its default, `prepared` its fastest. */
type Protocol = 'simple' | 'prepared';

export type Pgbench = {
  readonly version: string;
  /** The default script, TPC-B. */
  readonly side: (clients: number, protocol: Protocol) => Side;
};

/** Makes pgbench's own tables. A scale of at least the number of clients keeps them from queueing on one branch's row. */
export async function preparePgbench(url: string, scale: number, onProgress: (fact: string) => void): Promise<Pgbench> {
  const program = await findPgbench();
  onProgress(`creating the tables of pgbench, scale ${scale}`);
  await run(program, ['-i', '-q', '-s', scale.toString(), url], { timeout: initTimeoutMs });
  const { stdout } = await run(program, ['--version']);
  return {
    version: /\d+[.\d]*/.exec(stdout)?.[0] ?? 'unknown',
    side: (clients, protocol) => ({
      name: `pgbench TPC-B, ${protocol === 'prepared' ? 'prepared statements, ' : ''}${clients} clients`,
      run: (durationMs) => runRound(program, url, { clients, protocol, durationMs }),
    }),
  };
}

type Round = { readonly clients: number; readonly protocol: Protocol; readonly durationMs: number };

async function runRound(program: string, url: string, { clients, protocol, durationMs }: Round): Promise<Sample> {
  const seconds = Math.max(1, Math.round(durationMs / 1_000));
  const args = ['-M', protocol, '-n', '-c', clients.toString(), '-j', threads.toString(), '-T', seconds.toString(), url];
  const { stdout } = await run(program, args, { timeout: durationMs + roundMarginMs });
  return {
    perSecond: numberIn(stdout, /^tps = ([\d.]+)/m),
    p50Ms: null,
    p99Ms: null,
    cpuMicros: null,
    errors: numberIn(stdout, /^number of failed transactions: (\d+)/m, 0),
  };
}

function numberIn(output: string, pattern: RegExp, otherwise?: number): number {
  const found = pattern.exec(output)?.[1];
  if (found !== undefined) return Number(found);
  if (otherwise !== undefined) return otherwise;
  throw new Error(`pgbench printed something else than expected:\n${output}`);
}

/** Debian keeps it out of the path when several versions are installed; the newest one is taken. */
async function findPgbench(): Promise<string> {
  const versions = existsSync(debianFolder) ? readdirSync(debianFolder).sort((one, other) => Number(other) - Number(one)) : [];
  const candidates = ['pgbench', ...versions.map((version) => path.join(debianFolder, version, 'bin', 'pgbench'))];
  for (const candidate of candidates) {
    const isThere = await run(candidate, ['--version']).then(
      () => true,
      () => false,
    );
    if (isThere) return candidate;
  }
  throw new Error(
    [
      'There is no pgbench on this machine, neither on the path nor below /usr/lib/postgresql. Install it with:',
      '  sudo apt-get update && sudo apt-get install -y postgresql-contrib',
    ].join('\n'),
  );
}

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { eventually } from '@holdfast/testing/eventually';
import { supervise, type Supervised } from './supervise.js';

let folder: string;
let facts: string[];
let givenUp: string[];
const running: Supervised[] = [];

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'holdfast-supervise-'));
  facts = [];
  givenUp = [];
});
afterEach(async () => {
  await Promise.all(running.splice(0).map(({ stop }) => stop()));
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a process made of these lines; it notes every start of itself. */
function run(...lines: readonly string[]): Supervised {
  const program = path.join(folder, 'child.cjs');
  const recordStart = `require('node:fs').appendFileSync(${JSON.stringify(startsFile())}, 'x');`;
  writeFileSync(program, [...lines, recordStart, 'setInterval(() => undefined, 1_000);'].join('\n'));
  const toRun = { name: 'child', program, args: [], environment: {}, stopTimeoutMs: 12_000 };
  const options = { onFact: (fact: string) => void facts.push(fact), onGivenUp: (fact: string) => void givenUp.push(fact) };
  const supervised = supervise(toRun, { ...options, restartPausesMs: [1, 2] });
  running.push(supervised);
  return supervised;
}

function startsFile(): string {
  return path.join(folder, 'starts');
}

async function startsToBe(count: number): Promise<void> {
  await eventually(() => expect(readFileSync(startsFile(), 'utf8')).toHaveLength(count));
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('a supervised process', () => {
  it('is restarted when it dies', async () => {
    const supervised = run();
    await startsToBe(1);
    process.kill(supervised.pid() ?? 0, 'SIGKILL');
    await startsToBe(2);
    expect(facts).toEqual(['child was ended by SIGKILL; restarting it in 0.001 s']);
  });

  it('is not restarted when it keeps dying', async () => {
    run('process.exit(3);');
    await eventually(() => expect(givenUp).toEqual(['child ended with exit code 3 3 times in a row; it is not restarted']));
    expect(facts).toHaveLength(2);
  });

  it('is stopped and not restarted', async () => {
    const supervised = run(`process.on('SIGTERM', () => process.exit(0));`);
    await startsToBe(1);
    const pid = supervised.pid() ?? 0;
    await supervised.stop();
    await supervised.stop();
    expect(isRunning(pid)).toBe(false);
    expect(supervised.pid()).toBeUndefined();
    expect(facts).toEqual([]);
  });

  it('can be stopped between two starts', async () => {
    const supervised = run('process.exit(3);');
    await supervised.stop();
    expect(supervised.pid()).toBeUndefined();
    expect(givenUp).toEqual([]);
  });
});

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { builtFile } from '@holdfast/testing/built-file';
import { eventually } from '@holdfast/testing/eventually';
import { newDataDir, readBanner } from './testing/installation.js';
import { commandOf } from './testing/processes.js';
import { isRunning, killLeftPrograms, startProgram } from './testing/program.js';

jest.setTimeout(120_000);

const dataDir = newDataDir();
const parents: ChildProcess[] = [];
const sandboxSettings = { SANDBOX_PORT: '0', METRICS_PORT: '0', LOG_LEVEL: 'info' };

afterAll(async () => {
  for (const parent of parents) parent.kill('SIGKILL');
  await killLeftPrograms();
  await eventually(() => rmSync(dataDir, { recursive: true, force: true }));
});

describe('a platform under test', () => {
  it('leaves no process behind when it does not become ready', async () => {
    const sockets: Socket[] = [];
    const silentDatabase = createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1');
    await once(silentDatabase, 'listening');
    const { port } = silentDatabase.address() as AddressInfo;
    const settings = { HOLDFAST_DATA_DIR: dataDir, DATABASE_URL: `postgres://x:x@127.0.0.1:${port.toString()}/x` };
    const program = startProgram('allInOne', settings);
    await eventually(() => expect(sockets).not.toEqual([]));
    await expect(readBanner(program, 100)).rejects.toThrow('it has not printed');
    expect(isRunning(program.pid)).toBe(false);
    for (const socket of sockets) socket.destroy();
    silentDatabase.close();
  });

  it('leaves no program behind when the process of its test is killed', async () => {
    // What a jest worker does in a suite of this folder. The program stops as on SIGTERM, with all that it has started.
    const { pid, kill } = await startInAnotherProcess(`
      import { startProgram } from ${sourceFile('./testing/program.ts')};
      const sandbox = startProgram('service', ${JSON.stringify(sandboxSettings)}, 'sandbox');
      await sandbox.prints('ready');
      console.log(sandbox.pid);`);
    expect(commandOf(pid)).toContain('sandbox');
    kill();
    await eventually(() => expect(isRunning(pid)).toBe(false));
  });
});

describe('a process of npm run start:distributed', () => {
  it('stops when its supervisor is killed with -9', async () => {
    const { pid, kill } = await startInAnotherProcess(`
      import { supervise } from ${sourceFile('../../all-in-one/src/distributed/supervise.ts')};
      const program = ${JSON.stringify(builtFile(new URL('../../tools/src/service.ts', import.meta.url)))};
      const environment = ${JSON.stringify(sandboxSettings)};
      const toRun = { name: 'sandbox', program, args: ['sandbox'], environment, stopTimeoutMs: 10_000 };
      const sandbox = supervise(toRun, { onFact: () => undefined, onGivenUp: () => undefined });
      console.log(sandbox.pid());`);
    expect(commandOf(pid)).toContain('sandbox');
    kill();
    await eventually(() => expect(isRunning(pid)).toBe(false));
  });
});

function sourceFile(file: string): string {
  return JSON.stringify(fileURLToPath(new URL(file, import.meta.url)));
}

/** Runs a module that prints the id of the process that it has started. */
async function startInAnotherProcess(module: string): Promise<{ readonly pid: number; readonly kill: () => void }> {
  // The options of --eval are not passed on to what the module starts: no file can be run with them.
  const code = `process.execArgv = [];\n${module}\nsetInterval(() => undefined, 1_000);`;
  const parent = spawn(process.execPath, ['--import', 'tsx', '--input-type', 'module', '--eval', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  parents.push(parent);
  const [line] = (await once(parent.stdout, 'data')) as [Buffer];
  return { pid: Number.parseInt(line.toString(), 10), kill: () => parent.kill('SIGKILL') };
}

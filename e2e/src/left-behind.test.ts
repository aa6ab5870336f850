import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import path from 'node:path';
import { eventually } from '@holdfast/testing/eventually';
import { newDataDir, readBanner } from './testing/installation.js';
import { commandOf, descendantsOf } from './testing/processes.js';
import { isRunning, killLeftPrograms, startProgram } from './testing/program.js';

jest.setTimeout(120_000);

const dataDir = newDataDir();

afterAll(async () => {
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

  it('leaves no process behind when the process of its test is killed', async () => {
    const { pid, killTest } = await startInAnotherTest();
    const all = [pid, ...descendantsOf(pid)];
    expect(all.map(commandOf).join('\n')).toContain('postgres');
    killTest();
    await eventually(() => expect(all.filter(isRunning).map(commandOf)).toEqual([]));
  });
});

/** What a jest worker does in a suite of this folder. */
async function startInAnotherTest(): Promise<{ readonly pid: number; readonly killTest: () => void }> {
  const program = `
    import { startAllInOne } from ${JSON.stringify(path.join(__dirname, 'testing/installation.ts'))};
    const { pid } = await startAllInOne(${JSON.stringify(dataDir)});
    console.log(pid);
    setInterval(() => undefined, 1_000);`;
  const words = ['--conditions', 'holdfast-source', '--import', 'tsx', '--input-type', 'module', '--eval', program];
  const test = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(test.stdout, 'data')) as [Buffer];
  return { pid: Number(line.toString().trim()), killTest: () => test.kill('SIGKILL') };
}

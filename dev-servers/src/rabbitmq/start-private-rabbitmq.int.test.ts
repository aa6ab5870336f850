import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from '@holdfast/testing/eventually';
import { findRabbitmq, installRabbitmq, startPrivateRabbitmq } from './index.js';
import { isAmqpReady, isTcpOpen } from './server-ports.js';

const installTimeoutMs = 300_000;
const testTimeoutMs = 120_000;
const stopTimeoutMs = 60_000;

let dataDir: string;
beforeAll(async () => {
  if (findRabbitmq() === undefined) await installRabbitmq();
}, installTimeoutMs);
beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'holdfast-test-rabbitmq-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

function portOf(url: string): number {
  return Number(new URL(url).port);
}

function epmdPort(): number {
  return Number(readFileSync(path.join(dataDir, 'holder'), 'utf8').split(' ')[1]);
}

/** Another process that starts a server on the folder, prints its URL and runs until it is killed. */
async function startOwner(): Promise<{ readonly url: string; readonly kill: () => void }> {
  const program = `
    import { startPrivateRabbitmq } from ${JSON.stringify(fileURLToPath(new URL('index.ts', import.meta.url)))};
    const { url } = await startPrivateRabbitmq({ dataDir: ${JSON.stringify(dataDir)} });
    console.log(url);
    setInterval(() => undefined, 1_000);`;
  const args = ['--import', 'tsx', '--input-type', 'module', '--eval', program];
  const owner = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(owner.stdout, 'data')) as [Buffer];
  return { url: line.toString().trim(), kill: () => owner.kill('SIGKILL') };
}

describe('a private RabbitMQ', () => {
  it(
    'is ready, has the same URL after a restart, and leaves no process when it is stopped',
    async () => {
      const server = await startPrivateRabbitmq({ dataDir });
      const [port, mapper] = [portOf(server.url), epmdPort()];
      expect(await isAmqpReady(port)).toBe(true);
      await server.kill();
      expect(await isTcpOpen(port)).toBe(false);
      await server.restart();
      expect(await isAmqpReady(port)).toBe(true);
      await server.stop();
      await server.stop();
      expect(await isTcpOpen(port)).toBe(false);
      expect(await isTcpOpen(mapper)).toBe(false);
    },
    testTimeoutMs,
  );

  it(
    'stops when its owner is killed, and the next start waits for that',
    async () => {
      const owner = await startOwner();
      const [port, mapper] = [portOf(owner.url), epmdPort()];
      expect(await isAmqpReady(port)).toBe(true);
      owner.kill();
      const facts: string[] = [];
      const next = await startPrivateRabbitmq({ dataDir, onProgress: (fact) => facts.push(fact) });
      expect(facts).toContain('waiting for the previous message broker to end');
      await next.stop();
      await eventually(async () => expect([await isTcpOpen(port), await isTcpOpen(mapper)]).toEqual([false, false]), {
        timeoutMs: stopTimeoutMs,
      });
    },
    testTimeoutMs,
  );

  it('fails with the path when its folder is not writable', async () => {
    mkdirSync(dataDir, { recursive: true });
    writeFileSync(path.join(dataDir, 'data'), 'in the way');
    await expect(startPrivateRabbitmq({ dataDir })).rejects.toThrow(
      `The folder ${dataDir} for RabbitMQ's data cannot be written to.`,
    );
  });
});

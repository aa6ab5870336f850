import { execFile, spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

export type ProvidedRabbitmq = { readonly url: string; readonly stop: () => Promise<void> };

const image = 'rabbitmq:4.1-alpine';
const amqpPort = 5_672;
const probeTimeoutMs = 1_500;
/** Includes the pull of the image. */
const startTimeoutMs = 180_000;
/** The container ends with its standard input, and that ends with this process, even if it is killed. */
const serverUntilInputEnds = 'docker-entrypoint.sh rabbitmq-server & cat';

const run = promisify(execFile);

/** Whether a container engine responds within a short time. */
export async function isDockerAvailable(): Promise<boolean> {
  try {
    await run('docker', ['version'], { timeout: probeTimeoutMs });
    return true;
  } catch {
    return false;
  }
}

/** The engine must be on this machine; for another one, set `AMQP_URL`. */
export async function startRabbitmqContainer(): Promise<ProvidedRabbitmq> {
  const name = `holdfast-test-${randomUUID()}`;
  const options = ['--rm', '--interactive', '--name', name, '--publish', `127.0.0.1::${amqpPort}`, '--entrypoint', 'sh'];
  const container = spawn('docker', ['run', ...options, image, '-c', serverUntilInputEnds]);
  try {
    await started(container);
    const { stdout: address } = await run('docker', ['port', name, `${amqpPort}/tcp`]);
    return { url: `amqp://guest:guest@${address.trim()}`, stop: () => stop(container) };
  } catch (error) {
    container.stdin.end();
    throw error;
  }
}

/** Reads the server's log until it says so; what docker says meanwhile explains a failure. */
async function started(container: ChildProcessWithoutNullStreams): Promise<void> {
  let complaints = '';
  container.stderr.setEncoding('utf8').on('data', (text: string) => (complaints += text));
  container.on('error', (error) => (complaints += error.message));
  const timeout = setTimeout(() => container.kill(), startTimeoutMs);
  try {
    for await (const line of createInterface(container.stdout)) if (line.includes('Server startup complete')) return;
    throw new Error(`the container ended: ${complaints.trim()}`);
  } finally {
    clearTimeout(timeout);
    container.stdout.resume();
  }
}

async function stop(container: ChildProcessWithoutNullStreams): Promise<void> {
  const ended = once(container, 'exit');
  container.stdin.end();
  await ended;
}

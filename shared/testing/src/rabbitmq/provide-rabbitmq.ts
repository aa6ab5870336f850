import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findRabbitmq, installRabbitmq, startPrivateRabbitmq } from '@holdfast/dev-servers/rabbitmq';
import { isDockerAvailable, startRabbitmqContainer, type ProvidedRabbitmq } from './container.js';

/**
 * Provides the RabbitMQ of one test run: the one of AMQP_URL, else a container, else a private server. If none is possible, the
 * error says what to install.
 * @public Loaded by jest-global-setup.cjs.
 */
export async function provideRabbitmq(): Promise<ProvidedRabbitmq> {
  const given = process.env['AMQP_URL']; // eslint-disable-line holdfast/no-process-env -- tests have no configuration of their own
  if (given !== undefined && given !== '') return { url: given, stop: () => Promise.resolve() };
  return (await provideContainer()) ?? providePrivate();
}

async function provideContainer(): Promise<ProvidedRabbitmq | undefined> {
  if (!(await isDockerAvailable())) return undefined;
  try {
    return await startRabbitmqContainer();
  } catch (error) {
    print(`RabbitMQ could not be started in a container (${String(error)}); trying a private server`);
    return undefined;
  }
}

async function providePrivate(): Promise<ProvidedRabbitmq> {
  if (findRabbitmq() === undefined) await installRabbitmq(print);
  const folder = mkdtempSync(path.join(tmpdir(), 'holdfast-test-rabbitmq-'));
  const server = await startPrivateRabbitmq({ dataDir: folder });
  return {
    url: server.url,
    stop: async () => {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function print(line: string): void {
  process.stderr.write(`${line}\n`);
}

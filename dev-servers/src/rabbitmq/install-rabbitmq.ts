import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { findOnPath, findRabbitmq, type RabbitmqInstallation } from './find-rabbitmq.js';

const run = promisify(execFile);
const installTimeoutMs = 300_000;
const outputBytesMax = 16 * 1_024 * 1_024;

/** Installs RabbitMQ with apt-get if this process is root; otherwise throws an error with the commands to run. */
export async function installRabbitmq(onProgress: (fact: string) => void = () => undefined): Promise<RabbitmqInstallation> {
  if (process.getuid?.() !== 0 || findOnPath('apt-get').length === 0)
    throw new Error(installInstructions('this user cannot install packages here'));
  onProgress('installing rabbitmq-server with apt-get; this takes a minute or two');
  try {
    await runApt('update');
    await runApt('install', '-y', '--no-install-recommends', 'rabbitmq-server');
  } catch (cause) {
    throw new Error(installInstructions('apt-get could not install it'), { cause });
  }
  const installation = findRabbitmq();
  if (installation === undefined)
    throw new Error(installInstructions('apt-get installed it, but it is in none of the usual places'));
  return installation;
}

/** The package starts a server on the default ports, except in run level 1. */
async function runApt(...args: readonly string[]): Promise<void> {
  const settings = ['DEBIAN_FRONTEND=noninteractive', 'RUNLEVEL=1'];
  await run('env', [...settings, 'apt-get', '-q', ...args], { timeout: installTimeoutMs, maxBuffer: outputBytesMax });
}

function installInstructions(reason: string): string {
  return [
    `There is no RabbitMQ on this machine, and ${reason}. Do one of these:`,
    '  sudo apt-get update && sudo apt-get install -y rabbitmq-server',
    '  export AMQP_URL=amqp://user:password@host:5672   (a server of yours, version 3.10 or later)',
  ].join('\n');
}

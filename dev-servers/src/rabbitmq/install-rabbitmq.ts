import { findCommand, installPackage } from '../debian/index.js';
import { findRabbitmq, type RabbitmqInstallation } from './find-rabbitmq.js';

/** Installs RabbitMQ with apt-get if this process is root; otherwise throws an error with the commands to run. */
export async function installRabbitmq(onProgress: (fact: string) => void = () => undefined): Promise<RabbitmqInstallation> {
  if (process.getuid?.() !== 0 || findCommand('apt-get') === undefined)
    throw new Error(installInstructions('this user cannot install packages here'));
  onProgress('installing rabbitmq-server with apt-get; this takes a minute or two');
  try {
    await installPackage('rabbitmq-server');
  } catch (cause) {
    throw new Error(installInstructions('apt-get could not install it'), { cause });
  }
  const installation = findRabbitmq();
  if (installation === undefined)
    throw new Error(installInstructions('apt-get installed it, but it is in none of the usual places'));
  return installation;
}

function installInstructions(reason: string): string {
  return [
    `There is no RabbitMQ on this machine, and ${reason}. Do one of these:`,
    '  sudo apt-get update && sudo apt-get install -y rabbitmq-server',
    '  export AMQP_URL=amqp://user:password@host:5672   (a server of yours, version 3.10 or later)',
  ].join('\n');
}

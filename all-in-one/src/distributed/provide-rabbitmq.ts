import { findRabbitmq, installRabbitmq, startPrivateRabbitmq } from '@holdfast/dev-servers/rabbitmq';
import type { StartupContext } from '../startup-context.js';

/** The broker of AMQP_URL, or a private one that stops with this process, installed where that is possible. */
export async function provideRabbitmq({ config, folder, lifecycle, onProgress }: StartupContext): Promise<string> {
  if (config.amqpUrl !== undefined) return config.amqpUrl;
  if (findRabbitmq() === undefined) await installRabbitmq(onProgress);
  const server = await startPrivateRabbitmq({ dataDir: folder.rabbitmq, onProgress });
  lifecycle.onStop('private RabbitMQ', server.stop);
  return server.url;
}

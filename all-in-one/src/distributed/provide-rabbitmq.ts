import { findRabbitmq, installRabbitmq, startPrivateRabbitmq } from '@holdfast/dev-servers/rabbitmq';
import type { StartupContext } from '../startup-context.js';

/** The given broker, or a private one that stops with us: installed where that is possible, else the error says what to do. */
export async function provideRabbitmq({ config, folder, lifecycle, onProgress }: StartupContext): Promise<string> {
  if (config.amqpUrl !== undefined) return config.amqpUrl;
  if (findRabbitmq() === undefined) await installRabbitmq(onProgress);
  const server = await startPrivateRabbitmq({ dataDir: folder.rabbitmq, onProgress });
  lifecycle.onStop('private RabbitMQ', server.stop);
  return server.url;
}

import { findRabbitmq, installRabbitmq, startPrivateRabbitmq, type PrivateRabbitmq } from '@holdfast/dev-servers/rabbitmq';
import type { StartupContext } from '../startup-context.js';
import { keepRunning } from './keep-running.js';

/** The broker of AMQP_URL, or a private one that stops with this process, installed where that is possible. */
export async function provideRabbitmq({ config, folder, lifecycle, onProgress, onFatal }: StartupContext): Promise<string> {
  if (config.amqpUrl !== undefined) return config.amqpUrl;
  if (findRabbitmq() === undefined) await installRabbitmq(onProgress);
  const stopping = new AbortController();
  const starting = startPrivateRabbitmq({ dataDir: folder.rabbitmq, onProgress });
  let ended = Promise.resolve();
  lifecycle.onStop('private RabbitMQ', async () => {
    stopping.abort();
    // A stop during the start waits for it, so that no server outlives this process.
    await starting.then(
      (server) => server.stop(),
      () => undefined,
    );
    await ended;
  });
  const server = await starting;
  const run = restarting(server, stopping.signal);
  ended = keepRunning({ name: 'RabbitMQ', run }, { onFact: onProgress, onGivenUp: onFatal }, stopping.signal);
  lifecycle.signal.throwIfAborted();
  return server.url;
}

/** The server runs when this is called, so the first run only waits for its end. Its queues survive, and its URL stays the same. */
function restarting(server: PrivateRabbitmq, signal: AbortSignal): () => Promise<string> {
  let isStarted = true;
  return async () => {
    try {
      if (!isStarted) await server.restart();
    } catch (error) {
      return `could not be started (${String(error)})`;
    }
    isStarted = false;
    if (signal.aborted) await server.stop(); // the stop came while the server was starting
    await server.ended();
    return 'ended unexpectedly';
  };
}

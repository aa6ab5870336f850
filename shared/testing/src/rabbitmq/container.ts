import { request, type RequestOptions } from 'node:http';

export type ProvidedRabbitmq = { readonly url: string; readonly stop: () => Promise<void> };

const image = 'rabbitmq:4.1-alpine';
const amqpPort = 5_672;
const probeTimeoutMs = 1_500;
/** Includes the pull of the image. */
const startTimeoutMs = 180_000;

/** Whether a container engine responds within a short time. */
export function isDockerAvailable(): Promise<boolean> {
  const engine = engineAddress();
  if (engine === undefined) return Promise.resolve(false);
  return new Promise((resolve) => {
    const probe = request({ ...engine, path: '/_ping', timeout: probeTimeoutMs }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    probe.on('timeout', () => probe.destroy());
    probe.on('error', () => resolve(false));
    probe.on('close', () => resolve(false));
    probe.end();
  });
}

/** Engines behind TLS are not supported; set `AMQP_URL` instead. */
function engineAddress(): RequestOptions | undefined {
  const host = process.env['DOCKER_HOST'] ?? 'unix:///var/run/docker.sock'; // eslint-disable-line holdfast/no-process-env -- the engine's own setting
  const url = URL.canParse(host) ? new URL(host) : undefined;
  if (url?.protocol === 'unix:') return { socketPath: url.pathname };
  if (url?.protocol === 'tcp:' || url?.protocol === 'http:') return { host: url.hostname, port: url.port };
  return undefined;
}

/** Imports `testcontainers` only when it is used, because the package is large. */
export async function startRabbitmqContainer(): Promise<ProvidedRabbitmq> {
  const { GenericContainer, Wait } = await import('testcontainers');
  const container = await new GenericContainer(image)
    .withExposedPorts(amqpPort)
    .withWaitStrategy(Wait.forLogMessage('Server startup complete'))
    .withStartupTimeout(startTimeoutMs)
    .start();
  return {
    url: `amqp://guest:guest@${container.getHost()}:${container.getMappedPort(amqpPort)}`,
    stop: async () => {
      await container.stop();
    },
  };
}

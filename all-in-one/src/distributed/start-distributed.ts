import { connectRabbitmq, topologyOf } from '@holdfast/shared/broker';
import type { Environment } from '@holdfast/shared/config';
import { allMessages } from '@holdfast/shared/contracts/messages';
import { existingServices } from '@holdfast/shared/contracts/services';
import { apiPrefix } from '@holdfast/shared/http-server';
import { choosePort, urlTo } from '../choose-port.js';
import { tellDemoUsers, waitForDemoUsers } from '../demo-users.js';
import { services } from '../parts.js';
import { provideDatabase } from '../provide-database.js';
import type { Stage, Started } from '../stage.js';
import { provideRabbitmq } from './provide-rabbitmq.js';
import { supervise } from './supervise.js';
import { waitUntilReady } from './wait-until-ready.js';

const internalHost = '127.0.0.1';

/** Where each service is found, by its name. */
type Urls = ReadonlyMap<string, string>;
type Servers = { readonly databaseUrl: string; readonly amqpUrl: string };

/**
 * Every part in a process of its own, each started by `program` with the part's name. Postgres and RabbitMQ are the given
 * ones or private ones of ours. A part that dies is started again; one that keeps dying stops everything.
 */
export async function startDistributed(stage: Stage, program: string): Promise<Started> {
  const { config, port, onProgress } = stage;
  const database = await provideDatabase(stage);
  const servers: Servers = { databaseUrl: database.url, amqpUrl: await provideRabbitmq(stage) };
  const run = partRunner(stage, servers, program);
  const urls = await startServices(run);
  const url = urlTo(config.host, port);
  const operationsPort = await freePort();
  const addresses = {
    HOST: config.host,
    PORT: port.toString(),
    OPERATIONS_PORT: operationsPort.toString(),
    ...variablesOf(urls),
  };
  await run('gateway', addresses, `${url}${apiPrefix}/health`);
  onProgress('introducing the demo users');
  await introduceDemoUsers(stage, servers, urls);
  return { url, ...servers, kept: [...database.kept, ...(config.amqpUrl === undefined ? ['the queues'] : [])] };
}

/** Starts a part with these settings beside the common ones, and waits until this address answers. */
type RunPart = (name: string, settings: Environment, readyUrl: string) => Promise<void>;

function partRunner(stage: Stage, servers: Servers, program: string): RunPart {
  const { lifecycle, onProgress, onFatal } = stage;
  const common = environmentOf(stage, servers);
  return async (name, settings, readyUrl) => {
    onProgress(`starting ${name}`);
    const part = { name, program, words: [name], environment: { ...common, ...settings } };
    const supervised = supervise(part, { onFact: onProgress, onGivenUp: onFatal });
    lifecycle.onStop(name, supervised.stop);
    await waitUntilReady(name, readyUrl, lifecycle.signal);
  };
}

/** All at once: each makes its own schema, and none needs another one to start. */
async function startServices(run: RunPart): Promise<Urls> {
  const started = services.map(async ({ name }) => {
    const port = await freePort();
    const url = urlTo(internalHost, port);
    await run(name, { HOST: internalHost, PORT: port.toString() }, `${url}/readyz`);
    return [name, url] as const;
  });
  return new Map(await Promise.all(started));
}

function freePort(): Promise<number> {
  return choosePort({ host: internalHost, port: 0, isGiven: true });
}

/** What every part is told, beside whatever was given to us. */
function environmentOf({ env, config, secrets }: Stage, { databaseUrl, amqpUrl }: Servers): Environment {
  return {
    ...env,
    DATABASE_URL: databaseUrl,
    AMQP_URL: amqpUrl,
    INTERNAL_SECRET: secrets.internalSecret,
    MASTER_KEY: secrets.masterKey,
    LOG_LEVEL: config.logLevel,
  };
}

/** Where the gateway finds the services: LEDGER_BALANCE_URL and so on. */
function variablesOf(urls: Urls): Environment {
  return Object.fromEntries([...urls].map(([name, url]) => [`${name.toUpperCase().replaceAll('-', '_')}_URL`, url]));
}

async function introduceDemoUsers({ clock, secrets, logFor }: Stage, { amqpUrl }: Servers, urls: Urls): Promise<void> {
  const topology = topologyOf(allMessages, existingServices);
  const broker = await connectRabbitmq({ url: amqpUrl, topology, log: logFor('distributed'), clock });
  try {
    await tellDemoUsers(broker, clock);
  } finally {
    await broker.close();
  }
  await waitForDemoUsers({ url: urls.get('ledger-balance'), internalSecret: secrets.internalSecret, clock });
}

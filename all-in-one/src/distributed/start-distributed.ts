import { freePort } from '@holdfast/dev-servers/network';
import { admissionSettings } from '@holdfast/gateway';
import { readConfig, withSettings, type Environment } from '@holdfast/process/config';
import { urlTo } from '../choose-port.js';
import { secretVariables } from '../data-folder/index.js';
import { createDemoUsers } from '../demo-users.js';
import { provideOutsideSystems, type OutsideSystems } from '../outside-systems.js';
import { services } from '../services.js';
import { provideDatabase } from '../provide-database.js';
import { publicUrlVariables } from '../public-url.js';
import { chooseServiceAddresses, internalHost, type MetricsAddress, type ServiceAddresses } from '../service-addresses.js';
import type { StartupContext, Started } from '../startup-context.js';
import { provideRabbitmq } from './provide-rabbitmq.js';
import { supervise, type Supervised } from './supervise.js';
import { waitUntilReady } from './wait-until-ready.js';

type Servers = { readonly databaseUrl: string; readonly amqpUrl: string; readonly outside: OutsideSystems };

/**
 * Starts every service and the gateway in its own process, by `program` with its name. Postgres and RabbitMQ are the given
 * servers or private ones. A process that dies is restarted; one that keeps dying stops everything.
 */
export async function startDistributed(context: StartupContext, program: string): Promise<Started> {
  const { config, port, onProgress } = context;
  const database = await provideDatabase(context);
  const servers = {
    databaseUrl: database.url,
    amqpUrl: await provideRabbitmq(context),
    outside: await provideOutsideSystems(context),
  };
  const url = urlTo(config.host, port);
  const { addresses, metrics, demo } = await startReplica(context, servers, { program, port });
  for (let replica = 2; replica <= config.replicas; replica += 1) {
    const replicaPort = await freePort();
    await startReplica(context, servers, { program, port: replicaPort });
    onProgress(`replica ${replica} is served at ${urlTo(config.host, replicaPort)}`);
  }
  const kept = [...database.kept, ...(config.amqpUrl === undefined ? ['the queues'] : [])];
  const { databaseUrl, amqpUrl, outside } = servers;
  const { urls: serviceUrls } = addresses;
  const rateLimit = readConfig(admissionSettings, context.env);
  const consoleUrl = rateLimit.console === 'off' ? undefined : `${url}/console`;
  return { url, databaseUrl, amqpUrl, serviceUrls, sandboxUrl: outside.sandboxUrl, kept, metrics, demo, consoleUrl, rateLimit };
}

type Replica = { readonly program: string; readonly port: number };
type StartedReplica = Pick<Started, 'metrics' | 'demo'> & { readonly addresses: ServiceAddresses };

/** One process of every service, and a gateway in front of them. */
async function startReplica(context: StartupContext, servers: Servers, { program, port }: Replica): Promise<StartedReplica> {
  const { config, secrets, clock, logFor, onProgress } = context;
  const { host } = config;
  const addresses = await chooseServiceAddresses();
  const run = processRunner(context, servers, { program, addresses });
  const servicesMetrics = await startServices(run, addresses);
  onProgress('creating the demo users');
  const { internalSecret } = secrets;
  const hasSandbox = servers.outside.sandboxUrl !== undefined;
  const demo = await createDemoUsers({ addresses, internalSecret, hasSandbox, clock, log: logFor('all-in-one') });
  const address = { HOST: host, PORT: port.toString() };
  const examples = { DEMO_BUYER_ID: demo.buyerId, DEMO_SELLER_ID: demo.sellerId };
  const gatewayMetrics = await run('gateway', { ...address, ...examples });
  return { addresses, metrics: [gatewayMetrics, ...servicesMetrics], demo };
}

/** Starts a process with these settings beside the common ones, and resolves once it is ready, to where its metrics are. */
type RunProcess = (name: string, settings: Environment) => Promise<MetricsAddress>;

/** What a process may need to exit, after everything in it has stopped. */
const exitMsMax = 2_500;

type RunnerOptions = { readonly program: string; readonly addresses: ServiceAddresses };

function processRunner(context: StartupContext, servers: Servers, { program, addresses }: RunnerOptions): RunProcess {
  const { config, lifecycle, onProgress, onFatal } = context;
  const stopTimeoutMs = config.shutdownDelayMs + config.shutdownTimeoutMs + exitMsMax;
  const common = { ...environmentOf(context, servers), ...addresses.variables };
  const started: Supervised[] = [];
  // After a second Ctrl-C: processes that found their database gone would fill the screen with errors.
  process.once('exit', () => started.forEach(({ kill }) => kill()));
  return async (name, settings) => {
    onProgress(`starting ${name}`);
    const metricsPort = await freePort();
    lifecycle.signal.throwIfAborted();
    const operations = { METRICS_HOST: internalHost, METRICS_PORT: metricsPort.toString() };
    const toRun = { name, program, args: [name], environment: { ...common, ...operations, ...settings }, stopTimeoutMs };
    const supervised = supervise(toRun, { onFact: onProgress, onGivenUp: onFatal });
    started.push(supervised);
    lifecycle.onStop(name, supervised.stop);
    const url = urlTo(internalHost, metricsPort);
    await waitUntilReady(name, `${url}/readyz`, lifecycle.signal);
    return { process: name, url };
  };
}

/** Services start in parallel: each creates its own schema, and none needs another one to start. */
function startServices(run: RunProcess, addresses: ServiceAddresses): Promise<readonly MetricsAddress[]> {
  return Promise.all(
    services.map(({ name }) => {
      const { port } = addresses.of(name);
      return run(name, { HOST: internalHost, PORT: port.toString() });
    }),
  );
}

/** The settings of every process: the environment of this program, and what it provides itself. */
function environmentOf(context: StartupContext, { databaseUrl, amqpUrl, outside }: Servers): Environment {
  const { env, config, secrets } = context;
  return withSettings(env, {
    ...secretVariables(secrets),
    ...publicUrlVariables(context),
    ...outside.variables,
    DATABASE_URL: databaseUrl,
    AMQP_URL: amqpUrl,
    LOG_LEVEL: config.logLevel,
    SHUTDOWN_DELAY_MS: config.shutdownDelayMs.toString(),
    SHUTDOWN_TIMEOUT_MS: config.shutdownTimeoutMs.toString(),
  });
}

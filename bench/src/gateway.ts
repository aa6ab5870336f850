import { quickRounds, type Benchmark, type Findings, type RunOptions } from './frame/benchmark.js';
import { latencyOf } from './frame/drive.js';
import { describeMachine } from './frame/machine.js';
import { addedOf, measure, type Rounds, type Side } from './frame/measure.js';
import { cpuMicrosOf } from './frame/process-cpu.js';
import type { MeasuredSide, Sample, Table } from './frame/results.js';
import { complete, direct, openEndpoints, type GatewayEndpoint } from './gateway/endpoints.js';
import { startLoadGenerator, type LoadGenerator } from './load/load-generator.js';
import { startDurablePostgres } from './servers/postgres.js';

/** Fresh processes need longer to warm up than code of our own process does. */
const fullRounds: Rounds = { count: 5, durationMs: 2_000, warmUpMs: 4_000 };
const addedMsMax = 0.6;
const body = '{"amount":"0.01"}';

type Concurrency = { readonly connections: number; readonly title: string };

const one: Concurrency = { connections: 1, title: 'One caller, one request after the other' };
const many: Concurrency = { connections: 32, title: '32 connections that each wait for their response' };

const about: readonly string[] = [
  'The time that the gateway adds to a direct call, and the time of each step. Behind the gateway runs a service that does nothing (`bench/src/gateway/stand-in.ts`), so that every microsecond is spent on the way. Two plain proxies are measured beside it: nginx in one process, and a bare proxy made of `node:http` and undici (`bench/src/reference/proxy.ts`).',
  'The gateway is the one of production. The steps that a request passes depend on the request: a public route, a route that requires a key, an Idempotency-Key. They also depend on settings: the log level, the rate limit and where it is counted. Each program has its own process on one machine; "CPU each" is the time of the proxy or, in the first line, of the service.',
  'Credits over HTTP through the gateway, end to end, are in the chapter on credits.',
];

export const gateway: Benchmark = {
  name: 'gateway',
  title: 'The gateway over a direct call',
  run,
};

async function run(options: RunOptions): Promise<Findings> {
  const { isQuick, folder, onProgress, onEnd } = options;
  const rounds = isQuick ? quickRounds : fullRounds;
  const postgres = await startDurablePostgres(folder, onProgress);
  onEnd(postgres.stop);
  onProgress('starting the service, nginx, the bare proxy and four gateways');
  const { all, nginxVersion } = await openEndpoints(postgres.url, options);
  const load = startLoadGenerator();
  onEnd(load.stop);
  const sides = [one, many].flatMap((concurrency) => all.map((endpoint) => sideOf(endpoint, concurrency, load)));
  const measured = await measure(sides, rounds, onProgress);
  const tables = [one, many].map((concurrency) => tableOf(concurrency, measured));
  return {
    about,
    machine: describeMachine(['undici'], { postgres: postgres.version, nginx: nginxVersion }),
    settings: { rounds: rounds.count, 'seconds a round': rounds.durationMs / 1_000 },
    tables,
    targets: [
      {
        work: 'time the gateway adds to a direct call, p50, one caller',
        unit: 'ms',
        atMost: addedMsMax,
        measured: addedOf(named(tables, complete), named(tables, direct), 'p50Ms'),
      },
    ],
    checks: ['every request of every side succeeded'],
  };
}

function sideOf(endpoint: GatewayEndpoint, { connections, title }: Concurrency, load: LoadGenerator): Side {
  const { url, path, headers, pid, freshHeader } = endpoint;
  const task = {
    url,
    method: 'POST',
    paths: [path],
    headers: { 'content-type': 'application/json', ...headers },
    body,
    connections,
    ...(freshHeader === undefined ? {} : { freshHeader }),
  } as const;
  return {
    name: nameOf(endpoint.name, title),
    run: async (durationMs): Promise<Sample> => {
      const before = cpuMicrosOf(pid);
      const result = await load.run({ ...task, seconds: Math.max(1, Math.round(durationMs / 1_000)) });
      const after = cpuMicrosOf(pid);
      return {
        perSecond: result.responses / result.seconds,
        ...latencyOf(result.latenciesMs),
        cpuMicros: before === null || after === null ? null : (after - before) / result.responses,
        errors: result.errors,
      };
    },
  };
}

function nameOf(endpointName: string, title: string): string {
  return `${endpointName} (${title})`;
}

/** The title of a table says what its sides have in common. */
function tableOf({ title }: Concurrency, measured: readonly MeasuredSide[]): Table {
  const ending = nameOf('', title);
  const sides = measured
    .filter(({ name }) => name.endsWith(ending))
    .map((side) => ({ ...side, name: side.name.slice(0, -ending.length) }));
  return { title, unit: 'requests/s', sides, baseline: direct, showsAdded: true };
}

function named([table]: readonly Table[], wanted: string): MeasuredSide {
  const side = table?.sides.find(({ name }) => name === wanted);
  if (side === undefined) throw new Error(`${wanted} was not measured`);
  return side;
}

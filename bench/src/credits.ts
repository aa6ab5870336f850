import type { UserId } from '@holdfast/kernel/ids';
import { startLoadGenerator, type LoadGenerator } from './load/load-generator.js';
import { startPlatform, type Endpoint, type Platform } from './credits/platform.js';
import { startReference, type Reference } from './credits/reference.js';
import { quickRounds, type Benchmark, type Findings, type RunOptions } from './frame/benchmark.js';
import { latencyOf } from './frame/drive.js';
import { describeMachine } from './frame/machine.js';
import { measure, ratioOf, type Rounds, type Side } from './frame/measure.js';
import type { MeasuredSide, Target } from './frame/results.js';
import { startDurablePostgres } from './servers/postgres.js';
import { startOwnRabbitmq } from './servers/rabbitmq.js';

/** Fresh processes warm up slowly: after 20,000 requests the engine still spends a fifth of a service's time on compiling. */
const fullRounds: Rounds = { count: 5, durationMs: 3_000, warmUpMs: 8_000 };
const usersCount = 10_000;
const idLength = 26;
const connections = 64;
const timesReference = 1.4;
const body = '{"amount":"0.01"}';

const about: readonly string[] = [
  'Credits over HTTP: `POST /users/{userId}/balance/credit` through the gateway and straight to `ledger-balance`, each in its own process as in production, with Postgres and RabbitMQ; the gateway logs every request. The reference is a plain express and pg service (`bench/src/reference`) that commits one credit per request with prepared statements. It has no authentication, hardly any validation, no journal, no events and no log. A load generator in its own process (`bench/src/load`) sends requests over 64 connections that each wait for their response.',
  'Load generator, gateway, service, Postgres and RabbitMQ share the cores of one machine.',
];

/** How many credits each side has confirmed, for the comparison with its ledger. */
type ResponseCounts = { platform: number; reference: number; runs: number };

export const credits: Benchmark = {
  name: 'credits',
  title: 'Credits over HTTP against a plain express service',
  run,
};

async function run({ isQuick, folder, onProgress, onEnd }: RunOptions): Promise<Findings> {
  const rounds = isQuick ? quickRounds : fullRounds;
  const users = Array.from({ length: usersCount }, (_, index): UserId => `usr_${index.toString().padStart(idLength, '0')}`);
  const postgres = await startDurablePostgres(folder, onProgress);
  onEnd(postgres.stop);
  const rabbitmq = await startOwnRabbitmq(folder, onProgress);
  onEnd(rabbitmq.stop);
  onProgress('starting the services');
  const reference = await startReference(await postgres.createDatabase('reference'), users);
  onEnd(reference.stop);
  const platform = await startPlatform({ folder, postgresUrl: postgres.url, amqpUrl: rabbitmq.url, users, onEnd });
  const load = startLoadGenerator();
  onEnd(load.stop);
  const responses: ResponseCounts = { platform: 0, reference: 0, runs: 0 };
  const measured = await measure(sidesOf({ platform, reference, load }, users, responses), rounds, onProgress);
  onProgress('proving the books');
  refuseLostCredits(responses, { platform: await platform.audit(), reference: await reference.audit() });
  return {
    about,
    machine: describeMachine(['express', 'pg', 'undici'], {
      postgres: postgres.version,
      rabbitmq: rabbitmq.version,
    }),
    settings: { users: usersCount, connections, rounds: rounds.count, 'seconds a round': rounds.durationMs / 1_000 },
    ...comparisonsOf(measured),
    checks: [
      `every one of ${responses.platform.toLocaleString('en')} successful credits is in the journal, the books are sound, and the balances are their sum`,
    ],
  };
}

type Services = { readonly platform: Platform; readonly reference: Reference; readonly load: LoadGenerator };
type Way = Endpoint & { readonly name: string; readonly prefix: string; readonly books: 'platform' | 'reference' };

function waysOf({ platform, reference }: Services): readonly Way[] {
  return [
    { name: 'through the gateway', prefix: '/api/v1', books: 'platform', ...platform.gateway },
    { name: 'straight to ledger-balance', prefix: '/api/v1', books: 'platform', ...platform.ledger },
    { name: 'plain express and pg', prefix: '', books: 'reference', url: reference.url, headers: () => ({}) },
  ];
}

const anyone = 'any user';
const oneUser = 'one user';

function sidesOf(services: Services, users: readonly UserId[], responses: ResponseCounts): readonly Side[] {
  const sides = (whom: string, requests: readonly UserId[]): readonly Side[] =>
    waysOf(services).map((way) => ({
      name: `${way.name}, ${whom}`,
      run: async (durationMs) => {
        const result = await services.load.run({
          url: way.url,
          method: 'POST',
          paths: requests.map((userId) => `${way.prefix}/users/${userId}/balance/credit`),
          headers: { 'content-type': 'application/json', ...way.headers() },
          body,
          connections,
          seconds: Math.max(1, Math.round(durationMs / 1_000)),
        });
        responses[way.books] += result.responses;
        responses.runs += 1;
        return {
          perSecond: result.responses / result.seconds,
          ...latencyOf(result.latenciesMs),
          cpuMicros: null,
          errors: result.errors,
        };
      },
    }));
  return [...sides(anyone, users), ...sides(oneUser, users.slice(0, 1))];
}

/** At the end of a run each connection is closed during one request, which may or may not have been committed. */
function refuseLostCredits(responses: ResponseCounts, committed: Omit<ResponseCounts, 'runs'>): void {
  for (const books of ['platform', 'reference'] as const) {
    const missing = committed[books] - responses[books];
    if (missing >= 0 && missing <= responses.runs * connections) continue;
    throw new Error(`${responses[books]} credits succeeded, and the books of the ${books} have ${committed[books]}`);
  }
}

function comparisonsOf(measured: readonly MeasuredSide[]): Pick<Findings, 'tables' | 'targets'> {
  const compared = [anyone, oneUser].map((whom) => {
    const sides = measured.filter(({ name }) => name.endsWith(whom));
    const [gateway] = sides;
    const reference = sides.at(-1);
    if (gateway === undefined || reference === undefined) throw new Error('nothing was measured');
    const targets: readonly Target[] = [
      {
        work: `the same against a plain express and pg service, ${whom}`,
        unit: 'x',
        atLeast: timesReference,
        measured: ratioOf(gateway, reference),
      },
    ];
    return { table: { title: `Credits to ${whom}`, unit: 'requests/s', sides, baseline: reference.name }, targets };
  });
  return { tables: compared.map(({ table }) => table), targets: compared.flatMap(({ targets }) => targets) };
}

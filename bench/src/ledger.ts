import type { UserId } from '@holdfast/kernel/ids';
import { fullRounds, quickRounds, type Benchmark, type Findings, type RunOptions } from './frame/benchmark.js';
import { describeMachine } from './frame/machine.js';
import { fastest, measure, ratioOf, type Side } from './frame/measure.js';
import { uniformPicker } from './frame/pick.js';
import type { MeasuredSide, Table, Target } from './frame/results.js';
import { openWorkload, type WorkloadSide, type Workload } from './ledger/workload.js';
import { preparePgbench } from './servers/pgbench.js';
import { startDurablePostgres } from './servers/postgres.js';

type Plan = { readonly callers: readonly number[]; readonly pgbenchClients: readonly number[]; readonly scale: number };

const fullPlan: Plan = { callers: [8, 32, 128, 512, 1_024], pgbenchClients: [8, 16, 32], scale: 32 };
const quickPlan: Plan = { callers: [32, 512], pgbenchClients: [16], scale: 16 };

const usersCount = 10_000;
const idLength = 26;
const seed = 1;
const timesPgbench = 4;

const about: readonly string[] = [
  'Transfers a second through the poster of `ledger-balance`: batch, locks, decision, journal, balances and outbox row, one durable commit per batch. Lines that say so run the whole use case as the HTTP server calls it: parse the amount, post, shape the response. For comparison, pgbench runs its TPC-B script on the same server, with a scale of at least its number of clients.',
  'The targets compare with the best number that pgbench reaches by default (`pgbench -c N -j 2`, the simple protocol). With prepared statements (`-M prepared`) pgbench is faster; a separate table compares the poster with that number.',
  'Each posting changes one balance and writes a transfer with two legs; its event goes into the outbox in the same commit. Unless a line says so, the outbox is not published. With the relay on, every event is also published through the in-process driver, handled by a consumer that does nothing, and deleted. All of this happens on the same server and in the same process; the clock stops when the last event is deleted.',
  'A TPC-B transaction changes three balances, reads one and inserts a row, so the two are similar, not equal; the poster exists to commit many postings at once. pgbench does not have a hot account, so the ratio always refers to its best number.',
];

export const ledger: Benchmark = {
  name: 'ledger',
  title: 'Ledger: the poster against pgbench',
  run,
};

async function run({ isQuick, folder, onProgress, onEnd }: RunOptions): Promise<Findings> {
  const plan = isQuick ? quickPlan : fullPlan;
  const rounds = isQuick ? quickRounds : fullRounds;
  const postgres = await startDurablePostgres(folder, onProgress);
  onEnd(postgres.stop);
  const pgbench = await preparePgbench(await postgres.createDatabase('pgbench'), plan.scale, onProgress);
  const users = Array.from({ length: usersCount }, (_, index) => userOf(index));
  onProgress(`giving ${usersCount} users money, twice`);
  const silent = await openWorkload(postgres.url, users, { publishes: false });
  onEnd(silent.close);
  const publishing = await openWorkload(await postgres.createDatabase('telling'), users, { publishes: true });
  onEnd(publishing.close);
  const sides: Sides = {
    ...sidesOf(plan, users, { silent, publishing }),
    pgbench: plan.pgbenchClients.map((clients) => pgbench.side(clients, 'simple')),
    prepared: plan.pgbenchClients.map((clients) => pgbench.side(clients, 'prepared')),
  };
  const measured = await measure(Object.values(sides).flat(), rounds, onProgress);
  onProgress('proving the books');
  const transfers = (await silent.audit()) + (await publishing.audit());
  return {
    about,
    machine: describeMachine(['pg', 'typeorm'], { postgres: postgres.version, pgbench: pgbench.version }),
    settings: {
      users: usersCount,
      rounds: rounds.count,
      'seconds a round': rounds.durationMs / 1_000,
      'pgbench scale': plan.scale,
    },
    ...comparisonsOf(sides, measured),
    checks: [
      `all ${transfers.toLocaleString('en')} successful postings are in the journals, the books are sound, and the balances sum to exactly what was posted`,
    ],
  };
}

function userOf(index: number): UserId {
  return `usr_${index.toString().padStart(idLength, '0')}`;
}

type Workloads = { readonly silent: Workload; readonly publishing: Workload };
type Sides = Readonly<Record<'uniform' | 'hot' | 'whole' | 'other' | 'pgbench' | 'prepared', readonly Side[]>>;

function sidesOf(
  { callers }: Plan,
  users: readonly UserId[],
  { silent, publishing }: Workloads,
): Omit<Sides, 'pgbench' | 'prepared'> {
  const anyone = uniformPicker(users, seed);
  const hotOne = (): UserId => userOf(0);
  const most = Math.max(...callers);
  const credits = (what: string, count: number, pick: () => UserId): WorkloadSide => {
    return { name: `${what}, ${count} callers`, callers: count, pick, through: 'poster', operations: ['balances.credit'] };
  };
  const other = { callers: most, pick: anyone, through: 'poster' } as const;
  return {
    uniform: callers.map((count) => silent.side(credits('credits to anyone', count, anyone))),
    hot: callers.map((count) => silent.side(credits('credits to one user', count, hotOne))),
    whole: [
      silent.side({ ...credits('credits to anyone, whole use case', most, anyone), through: 'route' }),
      silent.side({ ...credits('credits to one user, whole use case', most, hotOne), through: 'route' }),
    ],
    other: [
      silent.side({ ...other, name: `debits, ${most} callers`, operations: ['balances.debit'] }),
      silent.side({
        ...other,
        name: `reserve, then release, ${most} callers`,
        operations: ['balances.reserve', 'balances.release'],
      }),
      publishing.side(credits('credits with the relay on', most, anyone)),
    ],
  };
}

function comparisonsOf(sides: Sides, measured: readonly MeasuredSide[]): Pick<Findings, 'tables' | 'targets'> {
  const of = (group: readonly Side[]) => measured.filter(({ name }) => group.some((side) => side.name === name));
  const baseline = fastest(of(sides.pgbench));
  const prepared = fastest(of(sides.prepared));
  const table = (title: string, group: readonly MeasuredSide[], base: MeasuredSide): Table => {
    return { title, unit: 'transfers/s', sides: [...group, base], baseline: base.name };
  };
  const target = (work: string, group: readonly Side[]): Target => {
    return { work, unit: 'x', atLeast: timesPgbench, measured: ratioOf(fastest(of(group)), baseline) };
  };
  const best = [fastest(of(sides.uniform)), fastest(of(sides.hot))];
  return {
    tables: [
      table('Credits, uniform accounts', of(sides.uniform), baseline),
      table('Credits, one hot account', of(sides.hot), baseline),
      table('The best of both against pgbench with prepared statements', best, prepared),
      table('Credits through the whole use case', of(sides.whole), baseline),
      table('Other operations, uniform accounts', of(sides.other), baseline),
      {
        title: 'pgbench TPC-B',
        unit: 'transactions/s',
        sides: of([...sides.pgbench, ...sides.prepared]),
        baseline: baseline.name,
      },
    ],
    targets: [
      target('ledger transfers on uniform accounts against pgbench TPC-B', sides.uniform),
      target('ledger transfers on one hot account against pgbench TPC-B', sides.hot),
    ],
  };
}

import { rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '@holdfast/testing/eventually';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { openCounter, perPiece, rowsOf, sumOf, type Counter, type Counts } from './budget/count.js';
import { aUser } from './faults/order-life.js';
import { apiOf, type Api } from './testing/api.js';
import { newDataDir, startAllInOne, startDistributed, type RunningInstallation } from './testing/installation.js';
import { killLeftPrograms } from './testing/program.js';

jest.setTimeout(180_000);

const warmUpOrders = 5;
const countedOrders = 20;
const countedCredits = 20;
const countedReleasesMax = 10;
const restMs = 15_000;
/** Within this time after its start a process runs its hourly jobs for the first time. */
const startJobsMs = 10_000;

/**
 * What one piece of work may cost. A change that needs more raises the number here and says why; a change that needs less lowers it. An order that
 * takes longer shares fewer batches, so the limits leave room for a busy machine. It takes 115 statements and 43 commits on a quiet one, and was
 * seen to take 125 and 52. The aims are 150 statements and 60 commits an order. An order makes 18 calls: 5 builds, the information of a deployment,
 * 5 submissions, 5 look-ups and 2 readings of its contract. The spare call is for work that depends on time, not on orders. The network's fees are
 * read every 5 seconds, and a sweep or a check of the treasury may fall into the count. Each envelope is decoded once. At rest, one process was
 * seen to make 4.5 commits a second, and the processes of the platform 6. The release of a milestone takes 47 statements and 19 commits, and was
 * seen to take 50 and 21.
 */
const budget = {
  order: { statements: 140, commits: 60, messages: 37, calls: 19, decodedPerTransaction: 1.1 },
  milestone: { statements: 62, commits: 27, messages: 10, calls: 12 },
  credit: { ledgerStatements: 6 },
  commitsPerSecondAtRest: { allInOne: 6, distributed: 9 },
} as const;

/** Calls that go by time, or depend on how fast the ledger network closes ledgers, are printed, not limited. */
const unlimited = /look-up-again|history|horizon read/;

const dataDirs: string[] = [];

afterAll(async () => {
  await killLeftPrograms();
  await eventually(() => dataDirs.forEach((dataDir) => rmSync(dataDir, { recursive: true, force: true })));
});

async function started(start: typeof startDistributed): Promise<{ installation: RunningInstallation; counter: Counter }> {
  const dataDir = newDataDir();
  dataDirs.push(dataDir);
  const installation = await start(dataDir, { RATE_LIMIT_MAX: '0' });
  return { installation, counter: await openCounter(dataDir) };
}

function report(title: string, counted: ReadonlyMap<string, number>): void {
  process.stdout.write(`${title}: ${sumOf(counted).toFixed(1)}\n${rowsOf(counted).join('\n')}\n`);
}

describe('every service in its own process', () => {
  let api: Api;
  let counter: Counter;
  let atRest: Counts;
  let parties: { readonly buyerId: string; readonly sellerId: string };

  beforeAll(async () => {
    const distributed = await started(startDistributed);
    ({ counter } = distributed);
    api = apiOf(distributed.installation.baseUrl, distributed.installation.masterKey);
    parties = { buyerId: await aUser(api, 'buyer'), sellerId: await aUser(api, 'seller') };
    await api.post(`/users/${parties.buyerId}/balance/credit`, { amount: '100000.00' });
    for (let order = 0; order < warmUpOrders; order += 1) await wholeOrder();
    await pause(restMs / 3); // what the warm-up has left behind, such as messages to acknowledge
    atRest = await counter.during(() => pause(restMs));
  }, serverStartTimeoutMs);

  async function wholeOrder(): Promise<void> {
    const order = await fundedOrder({ amount: '10.00' });
    expect((await api.post(`${order}/resolution/release`, {})).status).toBe(200);
  }

  /** The path of an order that is IN_PROGRESS. */
  async function fundedOrder(given: object): Promise<string> {
    const { data } = await api.post('/orders', { ...parties, title: 'A vase', ...given });
    const order = `/orders/${String(data['id'])}`;
    for (const step of ['reserve', 'escrow', 'escrow/fund'])
      expect((await api.post(`${order}/${step}`)).status).toBeLessThan(300);
    return order;
  }

  async function repeated(times: number, work: () => Promise<unknown>): Promise<void> {
    for (let time = 0; time < times; time += 1) await work();
    await pause(restMs / 3);
  }

  it('keeps a whole order within its budget', async () => {
    const counts = await counter.during(() => repeated(countedOrders, wholeOrder));
    const order = perPiece(counts, atRest, countedOrders);
    report('statements of a whole order', order.statements);
    report('calls to outside systems', order.calls);
    report('decoded envelopes', order.decoded);
    const calls = sumOf(new Map([...order.calls].filter(([name]) => !unlimited.test(name))));
    const { commits, messages } = order;
    const decodedPerTransaction = sumOf(order.decoded) / (order.calls.get('ledger-rpc submit') ?? 0);
    const found = { statements: sumOf(order.statements), commits, messages, calls, decodedPerTransaction };
    process.stdout.write(`a whole order: ${JSON.stringify(found)}\n`);
    expect(withinBudget(found, budget.order)).toEqual([]);
    // Only a repeated message looks for a parked one; a busy machine may repeat a few.
    const parked = new Map([...order.statements].filter(([name]) => name.endsWith('delete-parked-messages')));
    expect(sumOf(parked)).toBeLessThan(2);
  });

  /** What each release costs, of so many. */
  async function countedReleases(title: string, paths: readonly string[]): Promise<Readonly<Record<string, number>>> {
    const counts = await counter.during(async () => {
      for (const path of paths) expect((await api.post(path, {})).status).toBeLessThan(300);
      await pause(restMs / 3);
    });
    const release = perPiece(counts, atRest, paths.length);
    report(`statements of ${title}`, release.statements);
    const calls = sumOf(new Map([...release.calls].filter(([name]) => !unlimited.test(name))));
    const found = { statements: sumOf(release.statements), commits: release.commits, messages: release.messages, calls };
    process.stdout.write(`${title}: ${JSON.stringify(found)}\n`);
    return found;
  }

  it('keeps the release of a milestone within its budget, beside the release of a whole order', async () => {
    const orders: string[] = [];
    for (let order = 0; order < countedReleasesMax; order += 1) {
      orders.push(await fundedOrder({ amount: '10.00', milestones: [{ ref: 'all', title: 'All', amount: '10.00' }] }));
      await api.post(`${orders.at(-1) ?? ''}/milestones/all/complete`);
    }
    const refs = Array.from({ length: countedReleasesMax + 1 }, (_, at) => `part-${at}`);
    const milestones = refs.map((ref) => ({ ref, title: ref, amount: '10.00' }));
    const amount = (refs.length * 10).toFixed(2);
    const byMilestone = await fundedOrder({ amount, milestones, releaseMode: 'milestone' });
    for (const ref of refs) await api.post(`${byMilestone}/milestones/${ref}/complete`);
    await pause(restMs / 3);
    const paths = refs.slice(1).map((ref) => `${byMilestone}/milestones/${ref}/release`);
    await countedReleases(
      'the release of a whole order',
      orders.map((order) => `${order}/resolution/release`),
    );
    expect(withinBudget(await countedReleases('the release of a milestone', paths), budget.milestone)).toEqual([]);
  });

  it('keeps a credit within its budget', async () => {
    const credit = (): Promise<unknown> => api.post(`/users/${parties.buyerId}/balance/credit`, { amount: '1.00' });
    const counts = await counter.during(() => repeated(countedCredits, credit));
    const { statements } = perPiece(counts, atRest, countedCredits);
    const ofLedger = new Map([...statements].filter(([name]) => name.startsWith('ledger-balance:')));
    report('statements of ledger-balance for a credit', ofLedger);
    expect(withinBudget({ ledgerStatements: sumOf(ofLedger) }, budget.credit)).toEqual([]);
  });

  it('rests', () => {
    report('statements in 15 s at rest, distributed', atRest.statements);
    expect(atRest.commits / atRest.seconds).toBeLessThanOrEqual(budget.commitsPerSecondAtRest.distributed);
  });
});

describe('all services in one process', () => {
  it('rests', async () => {
    const { counter } = await started(startAllInOne);
    await pause(startJobsMs);
    const atRest = await counter.during(() => pause(restMs));
    report('statements in 15 s at rest, all-in-one', atRest.statements);
    expect(atRest.commits / atRest.seconds).toBeLessThanOrEqual(budget.commitsPerSecondAtRest.allInOne);
  });
});

function withinBudget(found: Readonly<Record<string, number>>, limits: Readonly<Record<string, number>>): readonly string[] {
  return Object.entries(limits).flatMap(([name, limit]) => {
    const cost = found[name] ?? Number.NaN;
    return cost <= limit ? [] : [`${name}: ${cost.toFixed(1)} of ${limit.toString()}`];
  });
}

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
const restMs = 15_000;
/** Within this time after its start a process runs its hourly jobs for the first time. */
const startJobsMs = 10_000;

/**
 * What one piece of work may cost: a change that needs more raises the number here and says why, one that needs less lowers it. An order that
 * takes longer shares fewer batches, so the limits leave room for a busy machine: alone it takes 219 statements and 94 commits. The aims
 * are 150 statements, 60 commits and 18 calls an order. At rest, one process was seen to make 4.5 commits a second, and the processes of all parts 6.
 */
const budget = {
  order: { statements: 260, commits: 125, messages: 38, calls: 26 },
  credit: { ledgerStatements: 6 },
  commitsPerSecondAtRest: { allInOne: 6, distributed: 9 },
} as const;

/** Calls that depend on how fast the ledger network closes ledgers are printed, not limited. */
const unlimited = /follow|watch|history/;

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

describe('every part in a process of its own', () => {
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
    const { data } = await api.post('/orders', { ...parties, amount: '10.00', title: 'A vase' });
    const order = `/orders/${String(data['id'])}`;
    for (const step of ['reserve', 'escrow', 'escrow/fund'])
      expect((await api.post(`${order}/${step}`)).status).toBeLessThan(300);
    expect((await api.post(`${order}/resolution/release`, {})).status).toBe(200);
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
    const calls = sumOf(new Map([...order.calls].filter(([name]) => !unlimited.test(name))));
    const found = { statements: sumOf(order.statements), commits: order.commits, messages: order.messages, calls };
    process.stdout.write(`a whole order: ${JSON.stringify(found)}\n`);
    expect(withinBudget(found, budget.order)).toEqual([]);
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

describe('all parts in one process', () => {
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

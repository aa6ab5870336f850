import type { MessageDeclaration } from '@holdfast/contracts/messages';
import { consumersOf } from '@holdfast/contracts/sagas';
import { eventually } from '@holdfast/testing/eventually';
import { isFullMatrix } from '@holdfast/testing/fault-matrix';
import { aPerson } from './account-life.js';
import { expectReconciled, expectPaidOnce } from './agreement.js';
import { allInitLosses, chosenInitLosses } from './init-cases.js';
import { playInitLoss } from './init-escrow.js';
import { allLosses, chosenLosses, type LossCase } from './loss-cases.js';
import { anOrder, bringTo, call, driveToEnd, type Order } from './order-life.js';
import { platformOfSuite, type Platform } from './platform.js';

jest.setTimeout(240_000);

const initLosses = isFullMatrix ? allInitLosses : chosenInitLosses;

/** How long a run may take to end on a loaded machine: its command is resent after 2 s, 4 s, 8 s and so on. */
const endTimeoutMs = 120_000;

describe.each(['in-process', 'rabbitmq'] as const)('a message that the broker has lost, on the %s driver', (driver) => {
  const platform = platformOfSuite(driver);
  const orders: Order[] = [];

  const cases = allLosses.map((lossCase) => [lossCase.name, lossCase] as const);
  const alone = { fact: 'the run ends by itself', isKilled: false };
  // Only on RabbitMQ each part has a process of its own.
  const facts = driver === 'rabbitmq' ? [alone, { fact: 'the run ends although orders is killed', isKilled: true }] : [alone];

  for (const { fact, isKilled } of isFullMatrix ? facts : []) {
    it.each(cases)(`%s: ${fact}`, async (_, lossCase) => {
      orders.push(...(await play(platform(), [lossCase], isKilled)));
    });
  }

  it('is the reply to reserve, cancel, fund and refund at the same time: every run ends by itself', async () => {
    orders.push(...(await play(platform(), chosenLosses, driver === 'rabbitmq')));
  });

  // On RabbitMQ a message can only be lost before its consumer has handled others, and init has several for each of them.
  for (const loss of driver === 'in-process' ? initLosses : []) {
    it(`${loss.name}: the run ends by itself`, async () => {
      orders.push(...(await playInitLoss(platform(), await aPerson(platform()), loss)));
    });
  }

  it('leaves books and ledger network in agreement to the last unit, and no run open', async () => {
    await expectReconciled(platform(), orders);
    expect(await openRuns(platform())).toEqual([]);
  });
});

/** Loses the message of each case while its request waits. Then the run ends, the order can be driven to its end, and everybody is paid once. */
async function play(platform: Platform, cases: readonly LossCase[], isKilled: boolean): Promise<readonly Order[]> {
  const { api, sandbox } = platform;
  const played = await Promise.all(cases.map(async (lossCase) => ({ ...lossCase, order: await prepared(platform, lossCase) })));
  const before = played.flatMap(({ cause, order }) => (cause?.follows === undefined ? [] : copiesOf(cause.follows, order)));
  const lost = played.flatMap(({ message, order }) => copiesOf(message, order));
  const loss = await platform.lose(lost, before);
  try {
    // The caller may lose its connection to orders when it dies.
    const calls = played.map(({ order, during }) => call(api, order, during).catch(() => undefined));
    await loss.lost;
    if (isKilled) platform.kill('orders');
    await sandbox.clear();
    await Promise.all(calls);
    if (isKilled) await platform.whenReady('orders');
  } finally {
    await loss.close();
  }
  await Promise.all(played.map((each) => expectEnd(platform, each)));
  return played.map(({ order }) => order);
}

async function prepared({ api, sandbox }: Platform, { during, cause }: LossCase): Promise<Order> {
  const order = await anOrder(api);
  await bringTo(api, order, during);
  await cause?.before?.(api, order);
  if (cause?.fault !== undefined) await sandbox.arm(cause.fault);
  return order;
}

/** A message for several services is lost for all of them. */
function copiesOf(message: MessageDeclaration, order: Order) {
  return consumersOf(message).map((service) => ({ service, type: message.type, about: order.id }));
}

async function expectEnd(platform: Platform, { order, ending, cause }: LossCase & { readonly order: Order }): Promise<void> {
  const { api } = platform;
  await eventually(async () => expect(await openRuns(platform)).not.toContain(order.id), { timeoutMs: endTimeoutMs });
  await cause?.after?.(api, order);
  await driveToEnd(api, order, ending, endTimeoutMs);
  await eventually(() => expectPaidOnce(api, order, ending), { timeoutMs: endTimeoutMs });
}

const selectOpen = `
  select aggregate_id as "orderId"
  from orders.saga_runs
  where closed_at is null`;

async function openRuns({ database }: Platform): Promise<readonly string[]> {
  const runs = await database.asAdmin<{ readonly orderId: string }>(selectOpen);
  return runs.map(({ orderId }) => orderId);
}

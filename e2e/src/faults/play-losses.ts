import type { MessageDeclaration } from '@holdfast/contracts/messages';
import { consumersOf } from '@holdfast/contracts/sagas';
import { eventually } from '@holdfast/testing/eventually';
import { expectPaidOnce } from './agreement.js';
import type { LossCase } from './loss-cases.js';
import { anOrderFor, bringTo, call, driveToEnd, type Order } from './order-life.js';
import type { Platform } from './platform.js';

/** How long a run may take to end on a loaded machine: its command is resent after 2 s, 4 s, 8 s and so on. */
const endTimeoutMs = 120_000;

/** Loses the message of each case while its request waits. Then the run ends, the order can be driven to its end, and everybody is paid once. */
export async function playLosses(platform: Platform, cases: readonly LossCase[], isKilled: boolean): Promise<readonly Order[]> {
  const { api, sandbox } = platform;
  const played = await Promise.all(cases.map(async (lossCase) => ({ ...lossCase, order: await prepared(platform, lossCase) })));
  const before = played.flatMap(({ cause, order }) => (cause?.follows === undefined ? [] : copiesOf(cause.follows, order)));
  const lost = played.flatMap(({ message, order }) => copiesOf(message, order));
  // The supervisor gives up on what dies soon after each of its starts.
  if (isKilled) await platform.whenSteady('orders');
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

async function prepared({ api, sandbox }: Platform, { during, ending, cause }: LossCase): Promise<Order> {
  const order = await anOrderFor(api, ending);
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

/** The orders that have an open run. */
export async function openRuns({ database }: Pick<Platform, 'database'>): Promise<readonly string[]> {
  const runs = await database.asAdmin<{ readonly orderId: string }>(selectOpen);
  return runs.map(({ orderId }) => orderId);
}

import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { processEnvironment } from '@holdfast/service-host/config';
import { eventually } from '@holdfast/testing/eventually';
import { expectReconciled, expectPaidOnce } from './agreement.js';
import { anOrder, bringTo, call, driveToEnd, type Order } from './order-life.js';
import { platformOfSuite, type Platform } from './platform.js';
import { providerCalls, sagaRequests, type SagaRequest } from './saga-requests.js';

const isFullMatrix = processEnvironment()['HOLDFAST_FAULTS'] === 'all';

jest.setTimeout(240_000);

type Kill = Pick<SagaRequest, 'during' | 'ending'> & {
  readonly part: string;
  /** What holds the acting process where it is to die; absent means at any moment. */
  readonly held?: { readonly operation: string; readonly kind: 'latency' | 'timeout-after-effect' };
};

const heldMs = 20_000;
/** How long a killed part may take to respond again on a loaded machine. */
const restartTimeoutMs = 60_000;
const beforeCall = { kind: 'latency' } as const;
const afterCall = { kind: 'timeout-after-effect' } as const;

/** Before the provider call, after it and before the commit, and at any moment: after the commit is among them. */
const allKills: readonly Kill[] = [
  ...providerCalls.flatMap(({ during, ending, operation }) =>
    [beforeCall, afterCall].map((held) => ({ part: 'escrow-adapter', during, ending, held: { ...held, operation } })),
  ),
  ...['escrow-adapter', 'ledger-balance', 'orders'].flatMap((part) =>
    sagaRequests.map(({ during, ending }) => ({ part, during, ending })),
  ),
];

const chosenKills: readonly Kill[] = [
  { part: 'escrow-adapter', during: 'escrow', ending: 'release', held: { ...beforeCall, operation: 'deploy' } },
  { part: 'escrow-adapter', during: 'release', ending: 'release', held: { ...afterCall, operation: 'release' } },
  { part: 'ledger-balance', during: 'fund', ending: 'refund' },
  { part: 'orders', during: 'cancel', ending: 'cancel' },
];

describe('a process killed with -9', () => {
  const platform = platformOfSuite('rabbitmq');
  const orders: Order[] = [];

  it.each((isFullMatrix ? allKills : chosenKills).map((kill) => [nameOf(kill), kill] as const))('%s', async (_, kill) => {
    orders.push(await play(platform(), kill));
  });

  it('leaves books and ledger network in agreement to the last unit', async () => {
    await expectReconciled(platform(), orders);
  });
});

function nameOf({ part, during, held }: Kill): string {
  const when = held === undefined ? 'at any moment' : `${held.kind === 'latency' ? 'before' : 'after'} ${held.operation}`;
  return `${part} during ${during}, ${when}`;
}

async function play({ api, sandbox, steady, kill }: Platform, { part, during, ending, held }: Kill): Promise<Order> {
  const order = await anOrder(api);
  await bringTo(api, order, during);
  if (held !== undefined) await sandbox.arm({ target: 'escrow-provider', ...held, times: 1, latencyMs: heldMs });
  // The caller may lose its connection to a part that dies: what counts is where the order is afterwards.
  const called = call(api, order, during).catch(() => undefined);
  await pause(held === undefined ? randomInt(1, 60) : 1_000);
  kill(part);
  await sandbox.clear();
  await called;
  await driveToEnd(api, order, ending, 150_000);
  await steady(part);
  await eventually(() => expectPaidOnce(api, order, ending), { timeoutMs: restartTimeoutMs });
  return order;
}

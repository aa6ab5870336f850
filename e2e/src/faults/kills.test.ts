import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { initEscrow } from '@holdfast/contracts/sagas';
import type { ServiceName } from '@holdfast/contracts/services';
import { eventually } from '@holdfast/testing/eventually';
import { isFullMatrix } from '@holdfast/testing/fault-matrix';
import { anInit, aPerson, callInit, expectFundedOnce } from './account-life.js';
import { expectReconciled, expectPaidOnce } from './agreement.js';
import { anOrder, bringTo, call, driveToEnd, type Order } from './order-life.js';
import { allPaymentKills, chosenPaymentKills, type PaymentKill } from './payment-cases.js';
import { aPayment, bringPaymentTo, callStep, expectPaymentEnd, expectPaymentsAgree } from './payment-life.js';
import { platformOfSuite, type Platform } from './platform.js';
import { providerCalls, sagaRequests, type SagaRequest } from './saga-requests.js';

jest.setTimeout(240_000);

/** What holds the acting process where it is to die. */
type Held = { readonly operation: string; readonly kind: 'latency' | 'timeout-after-effect' };

type Kill = Pick<SagaRequest, 'during' | 'ending'> & {
  readonly part: ServiceName;
  /** Absent means at any moment. */
  readonly held?: Held;
};

type InitKill = Pick<Kill, 'part' | 'held'>;

const heldMs = 20_000;
/** How long a killed part may take to respond again on a loaded machine. */
const restartTimeoutMs = 60_000;
const beforeCall = { kind: 'latency' } as const;
const afterCall = { kind: 'timeout-after-effect' } as const;

/** Before the provider call, after it and before the commit, and at any moment: after the commit is among them. */
const allKills: readonly Kill[] = [
  ...providerCalls.flatMap(({ during, ending, operation }) =>
    [beforeCall, afterCall].map((held) => ({ part: 'escrow-adapter' as const, during, ending, held: { ...held, operation } })),
  ),
  ...(['escrow-adapter', 'ledger-balance', 'orders'] as const).flatMap((part) =>
    sagaRequests.map(({ during, ending }) => ({ part, during, ending })),
  ),
];

const chosenKills: readonly Kill[] = [
  { part: 'escrow-adapter', during: 'escrow', ending: 'release', held: { ...beforeCall, operation: 'deploy' } },
  { part: 'escrow-adapter', during: 'release', ending: 'release', held: { ...afterCall, operation: 'release' } },
  { part: 'ledger-balance', during: 'fund', ending: 'refund' },
  { part: 'orders', during: 'cancel', ending: 'cancel' },
];

/** In the same places while a person pays into escrow; orders also between two sagas, while the next one is held. */
const allInitKills: readonly InitKill[] = [
  ...(['escrow-adapter', 'orders'] as const).flatMap((part) =>
    providerCalls
      .filter(({ saga }) => initEscrow.sagas.some((name) => name === saga))
      .flatMap(({ operation }) => [beforeCall, afterCall].map((held) => ({ part, held: { ...held, operation } }))),
  ),
  ...(['escrow-adapter', 'ledger-balance', 'orders'] as const).flatMap((part) => [{ part }, { part }, { part }]),
];

const chosenInitKills: readonly InitKill[] = [
  { part: 'orders', held: { ...beforeCall, operation: 'deploy' } },
  { part: 'escrow-adapter', held: { ...afterCall, operation: 'fund' } },
  { part: 'ledger-balance' },
];

const ofProcesses = ['rabbitmq', 'two replicas'] as const;

describe.each(isFullMatrix ? ofProcesses : (['rabbitmq'] as const))('a process killed with -9, on %s', (driver) => {
  const platform = platformOfSuite(driver);
  const orders: Order[] = [];

  it.each((isFullMatrix ? allKills : chosenKills).map((kill) => [nameOf(kill), kill] as const))('%s', async (_, kill) => {
    orders.push(await play(platform(), kill));
  });

  it.each((isFullMatrix ? allPaymentKills : chosenPaymentKills).map((kill) => [kill.name, kill] as const))(
    '%s',
    async (_, kill) => {
      await playPayment(platform(), kill);
    },
  );

  it.each((isFullMatrix ? allInitKills : chosenInitKills).map((kill) => [nameOf({ during: 'init', ...kill }), kill] as const))(
    '%s',
    async (_, kill) => {
      orders.push(...(await playInit(platform(), kill)));
    },
  );

  it('leaves books and ledger network in agreement to the last unit', async () => {
    await expectReconciled(platform(), orders);
  });

  it('leaves journal and payment provider in agreement to the last unit, and no payment open', async () => {
    await expectPaymentsAgree(platform());
  });
});

function nameOf({ part, during, held }: InitKill & { readonly during: string }): string {
  const when = held === undefined ? 'at any moment' : `${held.kind === 'latency' ? 'before' : 'after'} ${held.operation}`;
  return `${part} during ${during}, ${when}`;
}

async function play(platform: Platform, { part, during, ending, held }: Kill): Promise<Order> {
  const { api } = platform;
  const order = await anOrder(api);
  await bringTo(api, order, during);
  await killDuring(platform, { part, target: 'escrow-provider', held }, () => call(api, order, during));
  await driveToEnd(api, order, ending, 150_000);
  await platform.whenReady(part);
  await eventually(() => expectPaidOnce(api, order, ending), { timeoutMs: restartTimeoutMs });
  return order;
}

async function playPayment(platform: Platform, { part, flow, during, held }: PaymentKill): Promise<void> {
  const payment = await aPayment(platform, flow);
  await bringPaymentTo(platform, payment, during);
  await killDuring(platform, { part, target: 'payment-provider', held }, () => callStep(platform, payment, during));
  await expectPaymentEnd(platform, payment);
  await platform.whenReady(part);
}

async function playInit(platform: Platform, { part, held }: InitKill): Promise<readonly Order[]> {
  const init = await anInit(platform, await aPerson(platform));
  await killDuring(platform, { part, target: 'escrow-provider', held, anyMomentMs: 300 }, () => callInit(platform, init));
  await platform.whenReady(part);
  return expectFundedOnce(platform, init);
}

type Death = Pick<Kill, 'part'> & {
  readonly target: 'escrow-provider' | 'payment-provider';
  readonly held: Held | undefined;
  readonly anyMomentMs?: number;
};

/** The caller may lose its connection to a part that dies: what counts is where the order or payment is afterwards. */
async function killDuring({ sandbox, kill, whenSteady }: Platform, death: Death, request: () => Promise<unknown>): Promise<void> {
  const { part, target, held, anyMomentMs = 60 } = death;
  if (isFullMatrix) await whenSteady(part);
  if (held !== undefined) await sandbox.arm({ target, ...held, times: 1, latencyMs: heldMs });
  const called = request().catch(() => undefined);
  await pause(held === undefined ? randomInt(1, anyMomentMs) : 1_000);
  kill(part);
  await sandbox.clear();
  await called;
}

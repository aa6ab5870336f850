import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { consumersOf } from '@holdfast/contracts/sagas';
import { processEnvironment } from '@holdfast/service-host/config';
import { eventually } from '@holdfast/testing/eventually';
import {
  allPaymentFaults,
  allPaymentKills,
  allPaymentLosses,
  chosenPaymentFaults,
  chosenPaymentKills,
  chosenPaymentLosses,
  type PaymentFault,
  type PaymentKill,
  type PaymentLoss,
} from './payment-cases.js';
import {
  aPayment,
  bringPaymentTo,
  callStep,
  drivePaymentToEnd,
  expectEnded,
  expectNoDifference,
  flows,
  type Payment,
} from './payment-life.js';
import { drivers, platformOfSuite, type Platform } from './platform.js';

/** `npm run faults` runs the whole matrix on both drivers; every other run takes some cases of each kind. */
const isFullMatrix = processEnvironment()['HOLDFAST_FAULTS'] === 'all';

jest.setTimeout(240_000);

const heldMs = 20_000;
const endTimeoutMs = 150_000;

describe.each(isFullMatrix ? drivers : (['in-process'] as const))('payments on the %s driver', (driver) => {
  const platform = platformOfSuite(driver);

  it.each(flows)('%s: ends as it should without any fault', async (flow) => {
    const payment = await aPayment(platform(), flow);
    await expectEnd(platform(), payment);
  });

  it.each(named(isFullMatrix ? allPaymentFaults : chosenPaymentFaults))('%s', async (_, faultCase) => {
    await playFault(platform(), faultCase);
  });

  it.each(named(isFullMatrix ? allPaymentLosses : chosenPaymentLosses))('%s is lost: the run ends by itself', async (_, loss) => {
    await playLoss(platform(), loss);
  });

  it('journal, payment provider and ledger network agree to the last unit, and no run is open', async () => {
    await expectNoDifference(platform().api);
    expect(await openRuns(platform())).toEqual([]);
  });
});

describe('a process killed with -9 during a payment', () => {
  const platform = platformOfSuite('rabbitmq');

  it.each(named(isFullMatrix ? allPaymentKills : chosenPaymentKills))('%s', async (_, kill) => {
    await playKill(platform(), kill);
  });

  it('leaves journal, payment provider and ledger network in agreement to the last unit', async () => {
    await expectNoDifference(platform().api);
    expect(await openRuns(platform())).toEqual([]);
  });
});

function named<Case extends { readonly name: string }>(cases: readonly Case[]): readonly (readonly [string, Case])[] {
  return cases.map((each) => [each.name, each] as const);
}

async function playFault(platform: Platform, { flow, during, fault }: PaymentFault): Promise<void> {
  const payment = await aPayment(platform, flow);
  await bringPaymentTo(platform, payment, during);
  await platform.sandbox.arm(fault);
  const response = await callStep(platform, payment, during);
  expect([response?.status, response?.code]).not.toEqual([500, 'INTERNAL_ERROR']);
  await platform.sandbox.clear();
  await expectEnd(platform, payment);
}

async function playLoss(platform: Platform, { flow, during, message }: PaymentLoss): Promise<void> {
  const payment = await aPayment(platform, flow);
  await bringPaymentTo(platform, payment, during);
  // Messages about a case do not name the user; no other case is open at the same time.
  const about = message.type.includes('case') ? '' : payment.userId;
  const lost = consumersOf(message).map((service) => ({ service, type: message.type, about }));
  const loss = await platform.lose(lost, []);
  try {
    await callStep(platform, payment, during).catch(() => undefined);
    await loss.lost;
  } finally {
    await loss.close();
  }
  await expectEnd(platform, payment);
}

async function playKill(platform: Platform, { part, flow, during, held }: PaymentKill): Promise<void> {
  const { sandbox, kill, steady } = platform;
  const payment = await aPayment(platform, flow);
  await bringPaymentTo(platform, payment, during);
  if (held !== undefined) await sandbox.arm({ target: 'payment-provider', ...held, times: 1, latencyMs: heldMs });
  // The caller may lose its connection to a part that dies: what counts is where the payment is afterwards.
  const called = callStep(platform, payment, during).catch(() => undefined);
  await pause(held === undefined ? randomInt(1, 60) : 1_000);
  kill(part);
  await sandbox.clear();
  await called;
  await expectEnd(platform, payment);
  await steady(part);
}

async function expectEnd(platform: Platform, payment: Payment): Promise<void> {
  await drivePaymentToEnd(platform, payment, endTimeoutMs);
  await eventually(() => expectEnded(platform.api, payment), { timeoutMs: endTimeoutMs });
}

const selectOpen = `
  select aggregate_id as id
  from payments.saga_runs
  where closed_at is null`;

async function openRuns({ database }: Platform): Promise<readonly unknown[]> {
  return database.asAdmin(selectOpen);
}

import { consumersOf } from '@holdfast/contracts/sagas';
import { isFullMatrix } from '@holdfast/testing/fault-matrix';
import {
  allPaymentFaults,
  allPaymentLosses,
  chosenPaymentFaults,
  chosenPaymentLosses,
  type PaymentFault,
  type PaymentLoss,
} from './payment-cases.js';
import { aPayment, bringPaymentTo, callStep, expectPaymentEnd, expectPaymentsAgree, flows } from './payment-life.js';
import { drivers, platformOfSuite, type Platform } from './platform.js';

jest.setTimeout(240_000);

describe.each(isFullMatrix ? drivers : (['in-process'] as const))('payments on the %s driver', (driver) => {
  const platform = platformOfSuite(driver);

  it.each(flows)('%s: ends as it should without any fault', async (flow) => {
    const payment = await aPayment(platform(), flow);
    await expectPaymentEnd(platform(), payment);
  });

  it.each(named(isFullMatrix ? allPaymentFaults : chosenPaymentFaults))('%s', async (_, faultCase) => {
    await playFault(platform(), faultCase);
  });

  it.each(named(isFullMatrix ? allPaymentLosses : chosenPaymentLosses))('%s is lost: the run ends by itself', async (_, loss) => {
    await playLoss(platform(), loss);
  });

  it('journal, payment provider and ledger network agree to the last unit, and no run is open', async () => {
    await expectPaymentsAgree(platform());
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
  await expectPaymentEnd(platform, payment);
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
  await expectPaymentEnd(platform, payment);
}

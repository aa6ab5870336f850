import { consumersOf } from '@holdfast/contracts/sagas';
import { eventually } from '@holdfast/testing/eventually';
import type { PaymentFault, PaymentLoss } from './payment-cases.js';
import { aPayment, bringPaymentTo, callStep, callWhenPossible, expectPaymentEnd, type Payment } from './payment-life.js';
import type { Platform } from './platform.js';
import { endLastingFault } from './play-faults.js';

/** The payment ends with exactly one effect once the fault is gone. */
export async function playPaymentFault(platform: Platform, { flow, during, fault }: PaymentFault): Promise<void> {
  const payment = await aPayment(platform, flow);
  await bringPaymentTo(platform, payment, during);
  await platform.sandbox.arm(fault);
  const called = callStep(platform, payment, during);
  await endLastingFault(platform.sandbox, fault, called);
  const response = await called;
  expect([response?.status, response?.code]).not.toEqual([500, 'INTERNAL_ERROR']);
  await platform.sandbox.clear();
  await expectPaymentEnd(platform, payment);
}

/** A message of the payment is lost: its run ends by itself. */
export async function playPaymentLoss(platform: Platform, { flow, during, message }: PaymentLoss): Promise<void> {
  const payment = await aPayment(platform, flow);
  await bringPaymentTo(platform, payment, during);
  if (during === 'resolve-case') await expectCaseOpened(platform, payment);
  // Messages about a case do not name the user; no other case is open at the same time.
  const about = message.type.includes('case') ? '' : payment.userId;
  const lost = consumersOf(message).map((service) => ({ service, type: message.type, about }));
  const loss = await platform.lose(lost, []);
  try {
    await callWhenPossible(platform, payment, during).catch(() => undefined);
    await loss.lost;
  } finally {
    await loss.close();
  }
  await expectPaymentEnd(platform, payment);
}

/** The case is there and its money booked. Until then the loss would hold back the reply that ends the saga open-case. */
async function expectCaseOpened({ api, database }: Platform, { userId }: Payment): Promise<void> {
  await eventually(async () => {
    expect((await api.get(`/reconciliation/cases?userId=${userId}`)).data['data']).toHaveLength(1);
    const opening = `select id from payments.saga_runs where saga = 'open-case' and closed_at is null`;
    expect(await database.asAdmin(opening)).toEqual([]);
  });
}

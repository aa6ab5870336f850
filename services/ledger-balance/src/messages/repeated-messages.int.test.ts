import * as message from '@holdfast/contracts/messages';
import type { UserId } from '@holdfast/kernel/ids';
import { eventually } from '@holdfast/testing/eventually';
import { startLedger, type RunningLedger } from '../testing/running-ledger.js';

let ledger: RunningLedger;

beforeAll(async () => {
  ledger = await startLedger();
});

afterAll(async () => {
  await ledger.checkAndStop();
});

type Parties = { readonly buyerId: UserId; readonly sellerId: UserId };
/** Publishes the message of a step; the ids of its order, top-up, withdrawal or case end with the subject. */
type Step = (subject: string, parties: Parties) => Promise<message.Envelope>;

const at = '2026-01-31T12:00:00.000000Z';
const ofOrder = (id: string) => ({ orderId: `ord_${id}`, amount: '100.00', currency: 'USD' }) as const;
const ofEscrow = (id: string) => ({ ...ofOrder(id), escrowId: `esc_${id}` }) as const;
const ofWithdrawal = (id: string) => ({ withdrawalId: `wd_${id}`, amount: '20.00', currency: 'USD' }) as const;

const ofCase = (id: string) => ({ caseId: `rcc_${id}`, amount: '8.00', currency: 'USD', origin: 'payins' }) as const;

const reserve: Step = (id, { buyerId }) => ledger.publish(message.orderReserveRequested, id, { ...ofOrder(id), userId: buyerId });
const reserveTooMuch: Step = (id, { buyerId }) =>
  ledger.publish(message.orderReserveRequested, id, { ...ofOrder(id), amount: '100.01', userId: buyerId });
const cancel: Step = (id, { buyerId }) => ledger.publish(message.orderCancelRequested, id, { ...ofOrder(id), userId: buyerId });
const fund: Step = (id, { buyerId }) => ledger.publish(message.orderFundRequested, id, { ...ofOrder(id), userId: buyerId });
const fail: Step = (id, { buyerId }) =>
  ledger.publish(message.escrowFundingFailed, id, { ...ofEscrow(id), buyerId, reason: 'provider' });
const refund: Step = (id, { buyerId }) =>
  ledger.publish(message.escrowRefunded, id, { ...ofEscrow(id), buyerId, refundedAt: at });
const split: Step = (id, { buyerId, sellerId }) => {
  const parts = { platformFee: '3.00', netAmount: '57.00', refundAmount: '40.00' };
  return ledger.publish(message.escrowReleased, id, { ...ofEscrow(id), ...parts, buyerId, sellerId, releasedAt: at });
};
const topUp: Step = (id, { buyerId }) =>
  ledger.publish(message.topupCreditRequested, id, {
    topupId: `topup_${id}`,
    userId: buyerId,
    amount: '7.00',
    currency: 'USD',
  });
const openCase: Step = (id) => ledger.publish(message.caseBookingRequested, id, { ...ofCase(id), kind: 'late_money' });
const settleCase: Step = (id, { buyerId }) =>
  ledger.publish(message.caseResolutionRequested, id, { ...ofCase(id), action: 'credit', userId: buyerId });
const writeOffCase: Step = (id) =>
  ledger.publish(message.caseResolutionRequested, id, { ...ofCase(id), action: 'write_off', userId: null });
const reservedFor: Step = (id, { buyerId }) =>
  ledger.publish(message.withdrawalReserveRequested, id, { ...ofWithdrawal(id), userId: buyerId });
const payOut: Step = (id, { buyerId }) =>
  ledger.publish(message.withdrawalDeductRequested, id, { ...ofWithdrawal(id), userId: buyerId, method: 'payment_provider' });
const callOff: Step = (id, { buyerId }) =>
  ledger.publish(message.withdrawalFreeRequested, id, { ...ofWithdrawal(id), userId: buyerId });

/** Each step with its reply and the steps before it. */
const steps = [
  ['balance.reservation_made', [], reserve],
  ['balance.reservation_refused', [], reserveTooMuch],
  ['balance.reservation_freed', [reserve], cancel],
  ['balance.reserved_deducted', [reserve], fund],
  ['balance.deduction_refused', [], fund],
  ['balance.deduction_restored', [reserve, fund], fail],
  ['balance.escrow_settled', [reserve, fund], split],
  ['balance.escrow_settled', [reserve, fund], refund],
  ['balance.topup_credited', [], topUp],
  ['balance.withdrawal_reserved', [], reservedFor],
  ['balance.withdrawal_deducted', [reservedFor], payOut],
  ['balance.withdrawal_freed', [reservedFor], callOff],
  ['balance.case_booked', [], openCase],
  ['balance.case_cleared', [openCase], settleCase],
  ['balance.case_cleared', [openCase], writeOffCase],
] as const satisfies readonly (readonly [string, readonly Step[], Step])[];

let subjects = 0;

/** Publishes the steps, and waits for the reply of the last one. */
async function played(before: readonly Step[], last: Step, reply: string) {
  const parties = { buyerId: await ledger.aUser({ available: '100.00' }), sellerId: await ledger.aUser() };
  const subject = `repeated${(subjects += 1).toString()}`;
  for (const step of before) {
    await step(subject, parties);
    await ledger.idle();
  }
  const command = await last(subject, parties);
  const isAboutSubject = (value: unknown): boolean => typeof value === 'string' && value.endsWith(`_${subject}`);
  const repliesNow = () =>
    ledger.published.filter(({ type, payload }) => type === reply && Object.values(payload as object).some(isAboutSubject));
  await eventually(() => expect(repliesNow()).toHaveLength(1));
  await ledger.idle(); // the broker drops a copy of a message that is still in its queue
  const balancesNow = () =>
    Promise.all([parties.buyerId, parties.sellerId].map(async (id) => (await ledger.get(`/users/${id}/balance`)).data));
  return { command, repliesNow, balancesNow };
}

describe('a command that is repeated', () => {
  it.each(steps)('gets the same %s again and has no second effect, %#', async (reply, before, last) => {
    const { command, repliesNow, balancesNow } = await played(before, last, reply);
    const balances = await balancesNow();
    expect(ledger.repeatedIds).not.toContain(repliesNow()[0]?.id);
    await ledger.republish(command);
    await eventually(() => expect(repliesNow()).toHaveLength(2));
    expect(repliesNow()[1]).toEqual(repliesNow()[0]);
    await eventually(() => expect(ledger.repeatedIds).toContain(repliesNow()[0]?.id));
    expect(await balancesNow()).toEqual(balances);
  });

  it('gets the public events of its handling again, too', async () => {
    const { command, repliesNow } = await played([], reserve, 'balance.reservation_made');
    await ledger.republish(command);
    await eventually(() => expect(repliesNow()).toHaveLength(2));
    const { userId } = command.payload as { readonly userId: string };
    const events = (await ledger.eventsOf(userId, 3)).filter(({ type }) => type === 'balance.reserved');
    expect(events).toHaveLength(2);
    expect(events[1]).toEqual(events[0]);
  });

  it('gets one reply for each time it comes, also at the same time', async () => {
    const { command, repliesNow, balancesNow } = await played([], reserve, 'balance.reservation_made');
    const balances = await balancesNow();
    await Promise.all([command, command, command].map((each) => ledger.republish(each)));
    await ledger.idle();
    expect(new Set(repliesNow().map(({ id }) => id)).size).toBe(1);
    expect(await balancesNow()).toEqual(balances);
  });
});

describe('a command that is repeated after its inbox row was pruned', () => {
  const moving = steps.filter(([reply]) => !reply.endsWith('_refused'));

  it.each(moving)('gets its %s made again from the journal, %#', async (reply, before, last) => {
    const { command, repliesNow, balancesNow } = await played(before, last, reply);
    const balances = await balancesNow();
    await ledger.database.asAdmin(`delete from ledger_balance.inbox where message_id = '${command.id}'`);
    await ledger.republish(command);
    await eventually(() => expect(repliesNow()).toHaveLength(2));
    const [first, again] = repliesNow();
    await eventually(() => expect(ledger.repeatedIds).toContain(first?.id));
    expect(again).toMatchObject({ id: first?.id, aggregateVersion: first?.aggregateVersion, payload: first?.payload });
    expect(await balancesNow()).toEqual(balances);
  });
});

describe('a second settlement of an order', () => {
  it('is reported as a contradiction, changes nothing, and is not parked', async () => {
    const contradicted = 'balance.settlement_contradicted';
    const { command, repliesNow, balancesNow } = await played([reserve, fund, refund], split, contradicted);
    expect(repliesNow()[0]?.payload).toMatchObject({ reason: 'the escrow account holds 0.00 and has to pay 100.00' });
    await ledger.republish(command);
    await eventually(() => expect(repliesNow()).toHaveLength(2));
    expect(repliesNow()[1]).toEqual(repliesNow()[0]);
    expect(await balancesNow()).toMatchObject([{ available: '100.00', reserved: '0.00' }, { available: '0.00' }]);
  });
});

describe('a payout that the ledger could not record', () => {
  /** The correction of the payout, as escrow-adapter publishes it for an operator. */
  const correct = ({ id: payoutId, payload }: message.Envelope) => {
    const { orderId, escrowId, buyerId, sellerId } = payload as Parties & {
      readonly orderId: `ord_${string}`;
      readonly escrowId: `esc_${string}`;
    };
    const payouts = [
      { userId: sellerId, amount: '57.00' },
      { userId: buyerId, amount: '40.00' },
    ];
    const correction = { escrowId, orderId, currency: 'USD', payoutId, payouts, platformFee: '3.00' } as const;
    return ledger.publish(message.escrowPayoutCorrectionRequested, escrowId, correction);
  };
  const settled = 'balance.escrow_settled';
  const booksOf = (orderId: string) =>
    ledger.database.asAdmin<{ readonly owner: string; readonly units: string }>(
      `select accounts.owner, sum(legs.units)::text as units
       from ledger_balance.legs
       join ledger_balance.accounts on accounts.id = legs.account_id
       join ledger_balance.transfers on transfers.id = legs.transfer_id
       where transfers.order_id = $1 and accounts.kind in ('escrow', 'external')
       group by accounts.owner order by accounts.owner`,
      [orderId],
    );

  it('is recorded once by a correction, with what is missing from the adjustments', async () => {
    const { command, balancesNow } = await played([reserve], split, 'balance.settlement_contradicted');
    const { orderId } = command.payload as { readonly orderId: string };
    const correction = await correct(command);
    await ledger.reply(settled, orderId);
    await ledger.idle();
    const balances = await balancesNow();
    expect(balances).toMatchObject([{ available: '40.00' }, { available: '57.00' }]);
    expect(await booksOf(orderId)).toEqual([
      { owner: 'adjustments', units: '-1000000000' },
      { owner: orderId, units: '0' },
    ]);

    const repliesNow = () => ledger.repliesTo(orderId).filter(({ type }) => type === settled);
    await ledger.republish(correction);
    await eventually(() => expect(repliesNow()).toHaveLength(2));
    expect(repliesNow()[1]).toEqual(repliesNow()[0]);
    // After the inbox was pruned the payout itself finds what the correction has recorded.
    await ledger.database.asAdmin(`delete from ledger_balance.inbox where message_id in ($1, $2)`, [command.id, correction.id]);
    await ledger.republish(command);
    await eventually(() => expect(repliesNow()).toHaveLength(3));
    expect(repliesNow()[2]?.payload).toEqual(repliesNow()[0]?.payload);
    await ledger.republish(correction);
    await correct(command);
    await ledger.idle();
    expect(await balancesNow()).toEqual(balances);
  });

  it('is not corrected once it is recorded', async () => {
    const { command, balancesNow } = await played([reserve, fund], split, settled);
    const balances = await balancesNow();
    await correct(command);
    await ledger.idle();
    expect(await balancesNow()).toEqual(balances);
  });
});

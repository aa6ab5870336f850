import { systemClock } from '@holdfast/kernel/context';
import * as message from '@holdfast/contracts/messages';
import { defaultMarketplaceId, idFactory, type MessageId, type SagaRunId, type UserId } from '@holdfast/kernel/ids';
import { eventually } from '@holdfast/testing/eventually';
import { startLedger, type RunningLedger } from '../testing/running-ledger.js';

const clock = systemClock();
const newId = idFactory(clock.epochMs);
let ledger: RunningLedger;

beforeAll(async () => {
  ledger = await startLedger();
});

afterAll(async () => {
  await ledger.checkAndStop();
});

type Run = { readonly saga: 'reserve' | 'fund' | 'withdraw'; readonly sagaRunId: SagaRunId };

const aRun = (saga: Run['saga']): Run => ({ saga, sagaRunId: newId('run') });

/** A message of a run, before it is published. */
function inRun<M extends message.MessageDeclaration>(
  { type, version, aggregateType }: M,
  payload: message.Payload<M>,
  run: Run,
): message.Envelope {
  const frame = { aggregateId: 'ord_1', aggregateVersion: 1, marketplaceId: defaultMarketplaceId, correlationId: 'test' };
  return { id: newId('evt'), type, version, aggregateType, occurredAt: clock.now(), ...frame, ...run, payload };
}

async function someFunds(available = '100.00') {
  return { userId: await ledger.aUser({ available }), amount: '100.00', currency: 'USD' } as const;
}
const anOrder = async (available?: string) => ({ orderId: newId('ord'), ...(await someFunds(available)) });
type Funds = Awaited<ReturnType<typeof anOrder>>;

const reserveIn = (run: Run, funds: Funds) => inRun(message.orderReserveRequested, funds, run);
const deductIn = (run: Run, funds: Funds) => inRun(message.orderFundRequested, funds, run);
const fundingAborted = (run: Run, { orderId, userId, ...amount }: Funds, abortedCommandId: MessageId) =>
  inRun(
    message.escrowFundingFailed,
    { ...amount, orderId, escrowId: newId('esc'), buyerId: userId, reason: 'aborted', abortedCommandId },
    run,
  );

async function publish(...messages: readonly message.Envelope[]): Promise<void> {
  await Promise.all(messages.map((each) => ledger.republish(each)));
  await ledger.idle();
}

async function balanceOf({ userId }: Pick<Funds, 'userId'>): Promise<{ readonly available: string; readonly reserved: string }> {
  const { available, reserved } = (await ledger.get(`/users/${userId}/balance`)).data as Record<string, string>;
  return { available: available ?? '', reserved: reserved ?? '' };
}

const allAvailable = { available: '100.00', reserved: '0.00' };
const allReserved = { available: '0.00', reserved: '100.00' };

/** The replies of the ledger in a run, without repeats of the same message. */
async function repliesIn({ sagaRunId }: Run, count: number): Promise<readonly string[]> {
  const inThisRun = () => ledger.published.filter((each) => each.sagaRunId === sagaRunId);
  const unique = () => [...new Map(inThisRun().map(({ id, type }) => [id, type])).values()];
  await eventually(() => expect(unique().length).toBeGreaterThanOrEqual(count));
  return unique();
}

async function aReservedOrder(): Promise<Funds> {
  const funds = await anOrder();
  await publish(reserveIn(aRun('reserve'), funds));
  expect(await balanceOf(funds)).toEqual(allReserved);
  return funds;
}

/** The command of a new run with its abort, for funds that were never reserved before. */
type HoldRun = {
  readonly run: Run;
  readonly userId: UserId;
  readonly command: message.Envelope;
  readonly abort: message.Envelope;
  /** The command of another run about the same order or withdrawal. */
  readonly next: message.Envelope;
};

async function aReserveRun(available?: string): Promise<HoldRun> {
  const [run, funds] = [aRun('reserve'), await anOrder(available)];
  const command = reserveIn(run, funds);
  const abort = inRun(message.orderAbortRequested, { ...funds, commandId: command.id }, run);
  return { run, userId: funds.userId, command, abort, next: reserveIn(aRun('reserve'), funds) };
}

async function aWithdrawRun(available?: string): Promise<HoldRun> {
  const [run, funds] = [aRun('withdraw'), { withdrawalId: newId('wd'), ...(await someFunds(available)) }];
  const command = inRun(message.withdrawalReserveRequested, funds, run);
  const abort = inRun(message.withdrawalAbortRequested, { ...funds, commandId: command.id }, run);
  const next = inRun(message.withdrawalReserveRequested, funds, aRun('withdraw'));
  return { run, userId: funds.userId, command, abort, next };
}

describe.each([
  ['reserve', aReserveRun, 'balance.reservation_made', 'balance.reservation_refused'],
  ['withdraw', aWithdrawRun, 'balance.withdrawal_reserved', 'balance.withdrawal_refused'],
] as const)('the abort of a %s run', (_, aReserveRun, placed, refused) => {
  it('before the command refuses the reservation, also when the command comes late, and repeats the reply', async () => {
    const given = await aReserveRun();
    await publish(given.abort);
    await publish(given.command);
    await publish(given.command);
    expect(await balanceOf(given)).toEqual(allAvailable);
    const sent = ledger.published.filter(({ sagaRunId }) => sagaRunId === given.run.sagaRunId);
    expect(sent.map(({ type }) => type)).toEqual([refused, refused, refused]);
    expect(new Set(sent.map(({ id }) => id)).size).toBe(1);
    const { commandId: __, ...funds } = given.abort.payload as { readonly commandId: MessageId };
    const details = { sagaRunId: given.run.sagaRunId, isAborted: true };
    expect(sent[0]?.payload).toEqual({ ...funds, code: 'PROVIDER_TIMEOUT', details });
  });

  it('does not prevent the reservation of the next run', async () => {
    const given = await aReserveRun();
    await publish(given.abort);
    await publish(given.command, given.next);
    expect(await balanceOf(given)).toEqual(allReserved);
  });

  it.each([
    ['placed', '100.00', allReserved, ['balance.reserved', placed]],
    ['refused', '99.00', { available: '99.00', reserved: '0.00' }, [refused]],
  ])('after a reservation was %s does nothing', async (__, available, balance, replies) => {
    const given = await aReserveRun(available);
    await publish(given.command);
    await publish(given.abort);
    expect(await balanceOf(given)).toEqual(balance);
    expect(await repliesIn(given.run, replies.length)).toEqual(replies);
  });

  it('finds a reservation by its transfer when the inbox was pruned', async () => {
    const given = await aReserveRun();
    await publish(given.command);
    await ledger.database.asAdmin('delete from ledger_balance.inbox where message_id = $1', [given.command.id]);
    await publish(given.abort);
    expect(await balanceOf(given)).toEqual(allReserved);
    expect(await repliesIn(given.run, 2)).not.toContain(refused);
  });

  it('and its command at once have one winner: the funds are held and the reply says so, or neither', async () => {
    const rounds = await Promise.all(Array.from({ length: 12 }, () => aReserveRun()));
    const messages = rounds.map(({ command, abort }) => [command, abort]);
    await publish(...messages.flatMap((both, index) => (index % 2 === 0 ? both : both.toReversed())));
    for (const round of rounds) {
      const isHeld = (await repliesIn(round.run, 1)).includes(placed);
      expect(await balanceOf(round)).toEqual(isHeld ? allReserved : allAvailable);
      expect((await repliesIn(round.run, 1)).includes(refused)).toBe(!isHeld);
    }
  });
});

describe('the compensation of an aborted fund run', () => {
  it('without a deduction changes nothing, and the late deduction is refused with the same reply', async () => {
    const [run, funds] = [aRun('fund'), await aReservedOrder()];
    const command = deductIn(run, funds);
    await publish(fundingAborted(run, funds, command.id));
    await publish(command);
    expect(await balanceOf(funds)).toEqual(allReserved);
    expect(await repliesIn(run, 1)).toEqual(['balance.deduction_restored']);
    const sent = ledger.published.filter(({ sagaRunId }) => sagaRunId === run.sagaRunId);
    expect(sent).toHaveLength(2);
  });

  it('after the deduction restores it', async () => {
    const [run, funds] = [aRun('fund'), await aReservedOrder()];
    const command = deductIn(run, funds);
    await publish(command);
    expect(await balanceOf(funds)).toEqual({ available: '0.00', reserved: '0.00' });
    await publish(fundingAborted(run, funds, command.id));
    expect(await balanceOf(funds)).toEqual(allReserved);
  });

  it('of an earlier run leaves the deduction of the next run in escrow', async () => {
    const [earlier, next, funds] = [aRun('fund'), aRun('fund'), await aReservedOrder()];
    await publish(deductIn(next, funds));
    await publish(fundingAborted(earlier, funds, newId('evt')));
    expect(await balanceOf(funds)).toEqual({ available: '0.00', reserved: '0.00' });
  });

  it('and the deduction at once leave the funds reserved', async () => {
    const rounds = await Promise.all(
      Array.from({ length: 12 }, async () => {
        const [run, funds] = [aRun('fund'), await aReservedOrder()];
        const command = deductIn(run, funds);
        return { run, funds, messages: [command, fundingAborted(run, funds, command.id)] };
      }),
    );
    await publish(...rounds.flatMap(({ messages }, index) => (index % 2 === 0 ? messages : messages.toReversed())));
    for (const { run, funds } of rounds) {
      expect(await repliesIn(run, 1)).toContain('balance.deduction_restored');
      expect(await balanceOf(funds)).toEqual(allReserved);
    }
  });
});

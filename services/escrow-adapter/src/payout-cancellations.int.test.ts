import { eventually } from '@holdfast/testing/eventually';
import { payoutReplies, requestPayout, type TestPayout } from './testing/payouts.js';
import { system } from './testing/resolving.js';
import { startAdapter, type RunningAdapter } from './testing/running-adapter.js';
import { balanceOf } from './testing/sandbox-state.js';

let adapter: RunningAdapter;
/** While it is set, a run stops right before it reads the account of the receiver, which is after its look-up. */
let gate: { readonly passed: Promise<void>; readonly open: () => void; readonly reached: () => void } | undefined;

beforeAll(async () => {
  adapter = await startAdapter({
    spendingPerHourMax: 30,
    wrapNetwork: (network) => ({
      ...network,
      account: async (address) => {
        gate?.reached();
        await gate?.passed;
        return network.account(address);
      },
    }),
  });
}, 120_000);
afterAll(() => adapter.stop());

const replyTo = ({ withdrawalId }: TestPayout) => adapter.waitForReply(withdrawalId, ...payoutReplies);

const cancel = ({ withdrawalId }: TestPayout) => adapter.post(`/internal/ledger-payouts/${withdrawalId}/cancel`, {}, system);

const repliesTo = ({ withdrawalId }: TestPayout) =>
  adapter.published.filter(
    ({ type, aggregateId }) => aggregateId === withdrawalId && payoutReplies.some((known) => known === type),
  );

const isWaiting = ({ command }: TestPayout) =>
  eventually(async () =>
    expect(
      await adapter.database.asAdmin('select 1 from escrow_adapter.intents where id = $1 and due_at > now()', [command.id]),
    ).toHaveLength(1),
  );

describe('the cancellation of a payout', () => {
  it('ends one that waits, and nothing is paid', async () => {
    const address = await adapter.accounts.openOutside();
    const waiting = await requestPayout(adapter, { address, amount: '31.00' });
    await isWaiting(waiting);
    expect(await cancel(waiting)).toMatchObject({ status: 200, data: { isRequested: true } });
    expect(await replyTo(waiting)).toMatchObject({
      type: 'withdrawal.ledger_payout_failed',
      payload: { reason: 'the withdrawal was canceled before it was paid' },
    });
    expect(await balanceOf(adapter, address)).toBe(0);
    expect(await cancel(waiting)).toMatchObject({ status: 200, data: { isRequested: false } });
  });

  it('that meets a run which has begun to send is too late: the payout is paid once', async () => {
    const address = await adapter.accounts.openOutside();
    let open: () => void = () => undefined;
    let reached: () => void = () => undefined;
    const passed = new Promise<void>((resolve) => (open = resolve));
    const isReached = new Promise<void>((resolve) => (reached = resolve));
    gate = { passed, open, reached };
    const payout = await requestPayout(adapter, { address, amount: '5.00' });
    await isReached;
    expect(await cancel(payout)).toMatchObject({ data: { isRequested: true } });
    gate = undefined;
    open();
    expect((await replyTo(payout)).type).toBe('withdrawal.ledger_payout_landed');
    expect(await balanceOf(adapter, address)).toBe(5);
    expect(repliesTo(payout)).toHaveLength(1);
  });

  it('of a payout that the network has paid and the database has forgotten reports the payment', async () => {
    const address = await adapter.accounts.openOutside();
    const payout = await requestPayout(adapter, { address, amount: '5.00' });
    await replyTo(payout);
    await adapter.database.asAdmin('delete from escrow_adapter.ledger_transactions where intent_id = $1', [payout.command.id]);
    await adapter.database.asAdmin(
      `update escrow_adapter.intents
       set closed_at = null, replies = null, worker_state = '{"isCancelRequested": true}', due_at = now() where id = $1`,
      [payout.command.id],
    );
    await eventually(() => expect(repliesTo(payout)).toHaveLength(2));
    expect(repliesTo(payout).map(({ type }) => type)).toEqual(Array(2).fill('withdrawal.ledger_payout_landed'));
    expect(await balanceOf(adapter, address)).toBe(5);
  });

  it('has one outcome when it comes at any moment', async () => {
    const address = await adapter.accounts.openOutside();
    let paid = 0;
    for (let round = 0; round < 5; round += 1) {
      const payout = await requestPayout(adapter, { address, amount: '1.00' });
      await cancel(payout);
      if ((await replyTo(payout)).type === 'withdrawal.ledger_payout_landed') paid += 1;
      expect(repliesTo(payout)).toHaveLength(1);
    }
    expect(await balanceOf(adapter, address)).toBe(paid);
  });

  it('of another marketplace finds nothing', async () => {
    const waiting = await requestPayout(adapter, { address: await adapter.accounts.openOutside(), amount: '31.00' });
    await isWaiting(waiting);
    const other = await adapter.post(
      `/internal/ledger-payouts/${waiting.withdrawalId}/cancel`,
      {},
      {
        ...system,
        marketplaceId: adapter.newId('mkt'),
      },
    );
    expect(other).toMatchObject({ status: 200, data: { isRequested: false } });
  });
});

import { eventually } from '@holdfast/testing/eventually';
import { payoutReplies, requestPayout, type TestPayout } from './testing/payouts.js';
import { system } from './testing/resolving.js';
import { startAdapter, type RunningAdapter } from './testing/running-adapter.js';
import { balanceOf } from './testing/sandbox-state.js';

let adapter: RunningAdapter;
/** Makes the transfers of landed payments unreadable, so that a look-up is unclear and waits for an operator. */
let isUnclear = false;

beforeAll(async () => {
  adapter = await startAdapter({
    spendingPerHourMax: 30,
    wrapNetwork: (network) => ({ ...network, transfers: async (hash) => (isUnclear ? [] : network.transfers(hash)) }),
  });
}, 120_000);
afterAll(() => adapter.stop());

const replyTo = ({ withdrawalId }: TestPayout) => adapter.waitForReply(withdrawalId, ...payoutReplies);

const resolve = ({ withdrawalId }: TestPayout, body: object) =>
  adapter.post(`/internal/ledger-payouts/${withdrawalId}/resolve`, { isCheck: false, ...body }, system);

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

/** A payout that the network has paid, the database has forgotten, and the look-up cannot judge. */
async function anUnclearPayout() {
  const address = await adapter.accounts.openOutside();
  const payout = await requestPayout(adapter, { address, amount: '5.00' });
  const { transactionHash } = (await replyTo(payout)).payload as { readonly transactionHash: string };
  isUnclear = true;
  await adapter.database.asAdmin('delete from escrow_adapter.ledger_transactions where intent_id = $1', [payout.command.id]);
  await adapter.database.asAdmin(
    'update escrow_adapter.intents set closed_at = null, replies = null, due_at = now() where id = $1',
    [payout.command.id],
  );
  await isWaiting(payout);
  isUnclear = false;
  return { payout, address, transactionHash };
}

describe('a payout that waits for an operator', () => {
  it('succeeds with the transaction that has paid it, and with no other', async () => {
    const other = await requestPayout(adapter, { address: await adapter.accounts.openOutside(), amount: '5.00' });
    const { transactionHash: otherHash } = (await replyTo(other)).payload as { readonly transactionHash: string };
    const { payout, address, transactionHash } = await anUnclearPayout();
    const refusals = [
      await resolve(payout, { outcome: 'failed' }),
      await resolve(payout, { outcome: 'succeeded' }),
      await resolve(payout, { outcome: 'succeeded', transactionHash: otherHash }),
    ].map(({ status, details }) => `${status} ${String(details['reason'])}`);
    expect(refusals).toEqual([
      `409 the network has payments with the memo of this withdrawal: ${transactionHash}`,
      '409 a success needs the hash of its transaction as proof',
      `409 ${otherHash} is not a successful payment of this platform with the memo of this withdrawal`,
    ]);
    expect((await resolve(payout, { outcome: 'succeeded', transactionHash, isCheck: true })).status).toBe(200);
    expect(repliesTo(payout)).toHaveLength(1);
    expect((await resolve(payout, { outcome: 'succeeded', transactionHash })).status).toBe(200);
    await eventually(() => expect(repliesTo(payout)).toHaveLength(2));
    expect(repliesTo(payout).map(({ payload }) => payload)).toMatchObject([{ transactionHash }, { transactionHash }]);
    expect(await balanceOf(adapter, address)).toBe(5);
    const late = await resolve(payout, { outcome: 'succeeded', transactionHash });
    expect([late.status, late.details['reason']]).toEqual([409, 'it has no open payout on the ledger network']);
  });

  it('that the network does not show fails, and is not sent afterwards', async () => {
    const address = await adapter.accounts.openOutside();
    const payout = await requestPayout(adapter, { address, amount: '31.00' });
    await isWaiting(payout);
    expect((await resolve(payout, { outcome: 'failed' })).status).toBe(200);
    expect((await replyTo(payout)).type).toBe('withdrawal.ledger_payout_failed');
    expect(await balanceOf(adapter, address)).toBe(0);
  });
});

import { Asset, Operation } from '@stellar/stellar-sdk';
import { eventually } from '@holdfast/testing/eventually';
import { payoutReplies, requestPayout, type TestPayout } from './testing/payouts.js';
import { startAdapter, type RunningAdapter } from './testing/running-adapter.js';
import { balanceOf } from './testing/sandbox-state.js';
import { aStranger, type Stranger } from './testing/stranger.js';

let adapter: RunningAdapter;
let stranger: Stranger;

beforeAll(async () => {
  adapter = await startAdapter();
  stranger = await aStranger(adapter.sandbox);
}, 120_000);
afterAll(() => adapter.stop());

const replyTo = ({ withdrawalId }: TestPayout) => adapter.waitForReply(withdrawalId, ...payoutReplies);

/** Payments of one stroop to each of the addresses in turn; a transaction has at most 100 of them. */
async function dust(addresses: readonly string[], transactions: number): Promise<void> {
  const operations = Array.from({ length: 100 }, (_, index) =>
    Operation.payment({
      destination: addresses[index % addresses.length] ?? '',
      asset: Asset.native(),
      amount: '0.0000001',
    }),
  );
  for (let sent = 0; sent < transactions; sent += 1) await stranger.act(...operations);
}

/** As after a restore from a backup: the network has paid, and the database does not know it. */
async function forget({ command }: TestPayout): Promise<void> {
  const lost = [
    'delete from escrow_adapter.ledger_transactions where intent_id = $1',
    'delete from escrow_adapter.intents where id = $1',
    'delete from escrow_adapter.inbox where message_id = $1',
  ];
  for (const statement of lost) await adapter.database.asAdmin(statement, [command.id]);
}

async function payAgain(payout: TestPayout): Promise<void> {
  const { payload } = await replyTo(payout);
  await forget(payout);
  await adapter.republish(payout.command);
  await eventually(() =>
    expect(adapter.published.filter((other) => JSON.stringify(other.payload) === JSON.stringify(payload))).toHaveLength(2),
  );
}

describe('a payout on the ledger network is looked up before it is paid', () => {
  it('and dust that strangers have paid to its address does not stop it', async () => {
    const address = await adapter.accounts.openOutside();
    await dust([address], 102);
    const payout = await requestPayout(adapter, { address });
    expect((await replyTo(payout)).type).toBe('withdrawal.ledger_payout_landed');
    expect(await balanceOf(adapter, address)).toBe(25);
  }, 240_000);

  it('and is found if it was paid by the treasury or the wallet, whatever strangers have paid to both since', async () => {
    const userId = adapter.newId('usr');
    const wallet = await adapter.accounts.wallets.addressOf(userId, 'mkt_default');
    const address = await adapter.accounts.openOutside();
    const byTreasury = await requestPayout(adapter, { address, userId });
    await replyTo(byTreasury);
    await adapter.accounts.give(wallet, 'USDC', '30');
    const byWallet = await requestPayout(adapter, { address, userId });
    await replyTo(byWallet);
    expect(await balanceOf(adapter, wallet)).toBe(5);
    await dust([wallet, ...(await adapter.accounts.wallets.addressesAt('treasury', null))], 5);
    await payAgain(byTreasury);
    await payAgain(byWallet);
    expect(await balanceOf(adapter, address)).toBe(50);
  }, 120_000);
});

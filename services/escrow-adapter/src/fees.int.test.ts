import { Account, Asset, BASE_FEE, Operation, TransactionBuilder } from '@stellar/stellar-sdk';
import { eventually } from '@holdfast/testing/eventually';
import { textOfUnits } from './wallets/network/units-of-text.js';
import { aFundedContract, requestContract } from './testing/orders.js';
import { startAdapter, type RunningAdapter } from './testing/running-adapter.js';
import { submitOutside } from './testing/submit-outside.js';

let adapter: RunningAdapter;

beforeAll(async () => {
  adapter = await startAdapter();
});
afterAll(() => adapter.stop());

const reserveUnits = 10_000_000n;

/** The fee payer keeps its reserve, and nothing to pay a fee with. */
async function spendXlmOfFeePayer(): Promise<void> {
  const { network, feePayer, openOutside } = adapter.accounts;
  const account = await network.account(feePayer.publicKey());
  if (account === undefined) throw new Error('the fee payer has no account');
  const units = (account.balances.XLM ?? 0n) - reserveUnits - BigInt(BASE_FEE);
  const source = new Account(feePayer.publicKey(), account.sequence.toString());
  const payment = { destination: await openOutside(), asset: Asset.native(), amount: textOfUnits(units) };
  const transaction = new TransactionBuilder(source, { fee: BASE_FEE, networkPassphrase: network.networkPassphrase })
    .addOperation(Operation.payment(payment))
    .setTimeout(30)
    .build();
  transaction.sign(feePayer);
  await submitOutside(adapter.sandbox, transaction.toXDR());
}

type OpenIntent = { readonly attempts: number; readonly runs: number };

const openIntents = (): Promise<readonly OpenIntent[]> =>
  adapter.database.asAdmin('select attempts, lease_token as runs from escrow_adapter.intents where closed_at is null');

const xlmOf = async (address: string): Promise<bigint | undefined> =>
  (await adapter.accounts.network.account(address))?.balances.XLM;

describe('the fees of a contract', () => {
  it('are paid by the treasury, not by the wallets', async () => {
    const { feePayer, wallets } = adapter.accounts;
    const before = await xlmOf(feePayer.publicKey());
    const order = await aFundedContract(adapter);
    // It was opened with 100 XLM, and has paid for its trustline itself.
    expect(await xlmOf(await wallets.addressOf(order.buyerId, 'mkt_default'))).toBe(999_999_900n);
    expect(await xlmOf(feePayer.publicKey())).toBeLessThan(before ?? 0n);
  });

  it('that the treasury cannot pay let the order wait, without an attempt that counts, until it can', async () => {
    await spendXlmOfFeePayer();
    const { orderId } = await requestContract(adapter);
    await eventually(async () => {
      const [waiting] = await openIntents();
      expect(waiting?.runs).toBeGreaterThan(1);
      expect(waiting?.attempts).toBe(0);
    });
    await adapter.accounts.give(adapter.accounts.feePayer.publicKey(), 'XLM', '1000');
    await adapter.waitForReply(orderId, 'escrow.created');
  });
});

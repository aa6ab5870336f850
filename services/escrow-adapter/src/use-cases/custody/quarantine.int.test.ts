import { Asset, Operation } from '@stellar/stellar-sdk';
import { caseResolved } from '@holdfast/contracts/messages';
import { eventually } from '@holdfast/testing/eventually';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { aWalletTestbed, type RunningWallets, type WalletTestbed } from '../../testing/running-wallets.js';
import { custodyOf } from '../../testing/custody.js';
import { aStranger } from '../../testing/stranger.js';
import { aTamperedHorizon, type TamperedHorizon } from '../../testing/tampered-horizon.js';

let testbed: WalletTestbed;
let wallets: RunningWallets;
let horizon: TamperedHorizon;

beforeAll(async () => {
  testbed = await aWalletTestbed();
  horizon = await aTamperedHorizon(testbed.sandbox.horizonUrl);
  wallets = await testbed.start({ LEDGER_HORIZON_URL: horizon.url });
}, serverStartTimeoutMs);

afterAll(async () => {
  await testbed.end();
  await horizon.close();
});

afterEach(() => horizon.falsify(undefined));

const messagesOf = (type: string, userId: string) =>
  testbed.published.filter((message) => message.type === type && JSON.stringify(message.payload).includes(userId));

const usdcOf = async (address: string) => (await testbed.network.account(address))?.balances.USDC;

const isPaymentTo = (address: string) => (record: Readonly<Record<string, unknown>>) =>
  record['type'] === 'payment' && record['to'] === address;

describe('a record of the history that is not understood', () => {
  it.each([
    ['has an unknown type', { type: 'future_payment' }, 'unknown operation type "future_payment"'],
    ['is malformed', { amount: null }, 'malformed: amount'],
    ['has no position', { id: null }, 'malformed: id'],
  ])('and %s is quarantined once, later deposits are credited, and custody lacks it', async (_what, fields, reason) => {
    const [{ userId, address }, other] = [await wallets.aWallet(), await wallets.aWallet()];
    const isHidden = isPaymentTo(address);
    horizon.falsify((record) => (isHidden(record) ? { ...record, ...fields } : record));
    await testbed.pay(address, 'USDC', '7');
    await testbed.pay(other.address, 'USDC', '8');
    await eventually(() => expect(messagesOf('balance.deposit_received', other.userId)).toHaveLength(1));
    await eventually(() =>
      expect(messagesOf('custody.record_quarantined', userId).map(({ payload }) => payload)).toEqual([
        { recordId: expect.any(String), reason: expect.stringContaining(reason), userId },
      ]),
    );
    expect(messagesOf('balance.deposit_received', userId)).toEqual([]);
    const rows = await testbed.database.asAdmin<{ record: string; resolved_at: string | null }>(
      'select record, resolved_at from escrow_adapter.quarantined_records where $1 = any(user_ids)',
      [userId],
    );
    expect(rows).toEqual([{ record: expect.stringContaining(address), resolved_at: null }]);
    await eventually(async () =>
      expect((await custodyOf(testbed)).wrong.filter(({ account }) => account.includes(userId))).toEqual([
        { account: `wallet ${userId} USDC`, published: 0n, onNetwork: 70_000_000n },
      ]),
    );
  });

  it('and mentions none of our accounts is skipped', async () => {
    const { userId, address } = await wallets.aWallet();
    const before = await testbed.database.asAdmin('select id from escrow_adapter.quarantined_records');
    horizon.falsify((record) => (record['type'] === 'change_trust' ? { id: record['id'], type: 'future_trust' } : record));
    await testbed.pay(address, 'USDC', '7');
    await eventually(() => expect(messagesOf('balance.deposit_received', userId)).toHaveLength(1));
    expect(await testbed.database.asAdmin('select id from escrow_adapter.quarantined_records')).toEqual(before);
  });

  it('keeps the sweep away from the wallet until its case is resolved', async () => {
    const { userId, address } = await wallets.aWallet();
    const isHidden = isPaymentTo(address);
    let isFirst = true;
    horizon.falsify((record) => (isHidden(record) && isFirst ? { ...record, type: 'future_payment' } : record));
    await testbed.pay(address, 'USDC', '100');
    const [{ payload } = { payload: undefined }] = await eventually(() => {
      expect(messagesOf('custody.record_quarantined', userId)).toHaveLength(1);
      return messagesOf('custody.record_quarantined', userId);
    });
    isFirst = false;
    horizon.falsify(undefined);
    // A second deposit, so that the published holdings are above the balance in the books, and another wallet that is swept.
    const other = await wallets.aWallet();
    await testbed.pay(address, 'USDC', '5');
    await testbed.pay(other.address, 'USDC', '5');
    await eventually(async () => expect(await usdcOf(other.address)).toBe(0n));
    expect(await usdcOf(address)).toBe(1_050_000_000n);

    const { recordId } = payload as { readonly recordId: string };
    const resolved = { caseId: 'rcc_1', kind: 'quarantined_record', source: 'ledger_network', sourceId: recordId } as const;
    await testbed.publish(caseResolved, 'rcc_1', resolved);
    await testbed.publish(caseResolved, 'rcc_1', resolved);
    // What the record was about stays: it is not published, so its owner is not known.
    await eventually(async () => expect(await usdcOf(address)).toBe(1_000_000_000n));
  });
});

describe('an offer for an asset that names a wallet as its issuer', () => {
  it('is about none of our accounts: the wallet is credited and swept as before', async () => {
    const [{ userId, address }, stranger] = [await wallets.aWallet(), await aStranger(testbed.sandbox)];
    const worthless = new Asset('XYZ', address);
    await stranger.act(
      Operation.changeTrust({ asset: worthless }),
      Operation.manageSellOffer({ selling: Asset.native(), buying: worthless, amount: '1', price: '1' }),
    );
    await testbed.pay(address, 'USDC', '7');
    await eventually(() => expect(messagesOf('balance.deposit_received', userId)).toHaveLength(1));
    await eventually(async () => expect(await usdcOf(address)).toBe(0n));
    expect(messagesOf('custody.record_quarantined', userId)).toEqual([]);
  });
});

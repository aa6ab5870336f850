import { Account, Asset, Memo, Operation, TransactionBuilder } from '@stellar/stellar-sdk';
import type { UserId } from '@holdfast/kernel/ids';
import { collectingLog } from '@holdfast/testing/log';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { aWalletTestbed, type RunningWallets, type WalletTestbed } from '../testing/running-wallets.js';
import { rotateWalletKeys } from './rotate-wallet-keys.js';

const [previous, current] = ['the master key before', 'the master key after'];
const memoHash = 'ab'.repeat(32);
let testbed: WalletTestbed;

beforeAll(async () => {
  testbed = await aWalletTestbed();
}, serverStartTimeoutMs);

afterAll(async () => {
  await testbed.end();
});

async function signs(wallets: RunningWallets, userId: UserId): Promise<boolean> {
  const address = await wallets.activeAddressOf(userId);
  const to = testbed.sandbox.usdcIssuer;
  const payment = { to, asset: 'XLM', units: 1n, isNewAccount: false, memoHash } as const;
  const { payments, sign } = wallets.module;
  const signed = sign({ wallet: userId }, paymentOf(address, to), payments.expect(address, payment));
  return signed.then(
    ({ status }) => status === 'signed',
    () => false,
  );
}

function paymentOf(address: string, destination: string): string {
  const options = { fee: '100', networkPassphrase: testbed.network.networkPassphrase, memo: Memo.hash(memoHash) };
  const operation = Operation.payment({ destination, asset: Asset.native(), amount: '0.0000001' });
  return new TransactionBuilder(new Account(address, '1'), options).addOperation(operation).setTimeout(30).build().toXDR();
}

describe('a rotation of the master key', () => {
  it('rewraps every wallet while a service is running', async () => {
    const before = await testbed.start({ WALLET_MASTER_KEY: previous });
    const users = Array.from({ length: 5 }, testbed.newUserId);
    await Promise.all(users.map(before.activeAddressOf));
    await before.stop();
    const both = await testbed.start({ WALLET_MASTER_KEY: current, WALLET_MASTER_KEY_PREVIOUS: previous });
    const log = collectingLog();
    const database = await testbed.openTables();
    const rotate = () => rotateWalletKeys({ database, current, previous, log });
    expect(await signs(both, users[0] ?? 'usr_0')).toBe(true);
    expect([await rotate(), await rotate()]).toEqual([5, 0]);
    expect(await signs(both, users[1] ?? 'usr_1')).toBe(true);
    await both.stop();

    const after = await testbed.start({ WALLET_MASTER_KEY: current });
    expect(await Promise.all(users.map((userId) => signs(after, userId)))).toEqual(users.map(() => true));
    await expect(testbed.start({ WALLET_MASTER_KEY: previous })).rejects.toThrow('WALLET_MASTER_KEY');
    expect(JSON.stringify(log.lines)).not.toContain(current);
  });
});

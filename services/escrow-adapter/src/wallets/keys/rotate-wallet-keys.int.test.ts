import { Account, Address, Operation, StrKey, TransactionBuilder } from '@stellar/stellar-sdk';
import { defaultMarketplaceId, type UserId } from '@holdfast/kernel/ids';
import { collectingLog } from '@holdfast/testing/log';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { requireEnvelope } from '../../testing/require-envelope.js';
import { aWalletTestbed, type RunningWallets, type WalletTestbed } from '../testing/running-wallets.js';
import { rotateWalletKeys } from './rotate-wallet-keys.js';

const [previous, current] = ['the master key before', 'the master key after'];
let testbed: WalletTestbed;

beforeAll(async () => {
  testbed = await aWalletTestbed();
}, serverStartTimeoutMs);

afterAll(async () => {
  await testbed.end();
});

async function signs(wallets: RunningWallets, userId: UserId): Promise<boolean> {
  const address = await wallets.module.wallets.addressOf(userId, defaultMarketplaceId);
  const options = { fee: '100', networkPassphrase: testbed.network.networkPassphrase };
  const call = Operation.invokeContractFunction({
    contract: StrKey.encodeContract(Buffer.alloc(32)),
    function: 'release_funds',
    args: [new Address(address).toScVal()],
  });
  const built = new TransactionBuilder(new Account(address, '1'), options).addOperation(call).setTimeout(30).build();
  const unsigned = requireEnvelope(built.toXDR(), options.networkPassphrase);
  const signed = wallets.module.sign({ user: userId, marketplaceId: defaultMarketplaceId }, 'release', unsigned);
  return signed.then(
    () => true,
    () => false,
  );
}

describe('a rotation of the master key', () => {
  it('rewraps every wallet while a service is running', async () => {
    const before = await testbed.start({ WALLET_MASTER_KEY: previous });
    const users = Array.from({ length: 5 }, testbed.newUserId);
    for (const userId of users) await before.module.wallets.addressOf(userId, defaultMarketplaceId);
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
    const old = await testbed.start({ WALLET_MASTER_KEY: previous });
    expect(await Promise.all(users.map((userId) => signs(after, userId)))).toEqual(users.map(() => true));
    expect(await Promise.all(users.map((userId) => signs(old, userId)))).toEqual(users.map(() => false));
    expect(JSON.stringify(log.lines)).not.toContain(current);
  });
});

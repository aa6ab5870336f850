import { IntentPaused } from '@holdfast/intents';
import { defaultMarketplaceId, type UserId } from '@holdfast/kernel/ids';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { aWalletTestbed, type RunningWallets, type WalletTestbed } from '../../testing/running-wallets.js';

let testbed: WalletTestbed;
let one: RunningWallets;
let other: RunningWallets;

beforeAll(async () => {
  testbed = await aWalletTestbed();
  const env = { WALLET_ACTIVATIONS_PER_HOUR_MAX: '3' };
  one = await testbed.start(env);
  other = await testbed.start(env);
}, serverStartTimeoutMs);

afterAll(async () => {
  await testbed.end();
});

async function requested(userId: UserId, index: number) {
  const { status, headers } = await (index % 2 === 0 ? one : other).get(`/users/${userId}/wallet/deposit`);
  return { userId, status, retryAfter: headers['retry-after'] };
}

describe('WALLET_ACTIVATIONS_PER_HOUR_MAX', () => {
  it('limits the activations of a marketplace over all replicas; beyond it 503 with Retry-After, and intents pause', async () => {
    const responses = await Promise.all(Array.from({ length: 8 }, testbed.newUserId).map(requested));
    const refused = responses.filter(({ status }) => status === 503);
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(refused.map(({ retryAfter }) => retryAfter)).toEqual(Array(5).fill('60'));
    const [{ userId } = { userId: testbed.newUserId() }] = refused;
    await expect(one.module.wallets.addressOf(userId, defaultMarketplaceId)).rejects.toThrow(IntentPaused);
    await testbed.database.asAdmin(
      `update escrow_adapter.wallets set activation_requested_at = activation_requested_at - interval '61 minutes'`,
    );
    expect(await requested(userId, 0)).toMatchObject({ status: 200 });
  });
});

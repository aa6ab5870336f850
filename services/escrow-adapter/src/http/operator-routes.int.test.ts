import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { aWalletTestbed, type RunningWallets, type WalletTestbed } from '../testing/running-wallets.js';
import { describeTreasury } from '../use-cases/treasury/describe-treasury.js';

let testbed: WalletTestbed;
let wallets: RunningWallets;

beforeAll(async () => {
  testbed = await aWalletTestbed();
  wallets = await testbed.start();
}, serverStartTimeoutMs);
afterAll(() => testbed.end());

describe('the treasury', () => {
  it('is described by what its last check has read, without a call of the network', async () => {
    const [treasury = '', ...channels] = await wallets.module.wallets.addressesAt('treasury', null);
    expect(await describeTreasury(wallets.module.treasury)).toMatchObject({
      address: treasury,
      readAt: expect.any(String),
      holdings: [{ asset: 'USDC' }, { asset: 'XLM' }],
      channels: channels.map((address) => ({ address, holdings: expect.any(Array) })),
      isLow: false,
      openTransaction: null,
    });
  });
});

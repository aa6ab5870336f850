import { Account, Asset, Claimant, MuxedAccount, Operation } from '@stellar/stellar-sdk';
import { eventually } from '@holdfast/testing/eventually';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { custodyOf } from '../../testing/custody.js';
import { aWalletTestbed, type RunningWallets, type WalletTestbed } from '../../testing/running-wallets.js';
import { aStranger, type Stranger } from '../../testing/stranger.js';

let testbed: WalletTestbed;
let wallets: RunningWallets;
let stranger: Stranger;

beforeAll(async () => {
  testbed = await aWalletTestbed();
  wallets = await testbed.start({ WALLET_SWEEP_EVERY_MS: '86400000' });
  stranger = await aStranger(testbed.sandbox);
}, serverStartTimeoutMs);

afterAll(async () => {
  await testbed.end();
});

const messagesOf = (type: string, text: string) =>
  testbed.published.filter((message) => message.type === type && JSON.stringify(message.payload).includes(text));

const muxed = (address: string) => new MuxedAccount(new Account(address, '0'), '77').accountId();

describe('money of a stranger', () => {
  it.each<readonly [string, (to: string) => Promise<void>, string, string]>([
    [
      'by a path payment that fixes what is sent',
      (to) =>
        stranger.act(
          Operation.pathPaymentStrictSend({
            sendAsset: Asset.native(),
            sendAmount: '2',
            destination: to,
            destAsset: stranger.usdc,
            destMin: '1',
          }),
        ),
      '2.00',
      'USDC',
    ],
    [
      'by a path payment that fixes what arrives',
      (to) =>
        stranger.act(
          Operation.pathPaymentStrictReceive({
            sendAsset: stranger.usdc,
            sendMax: '9',
            destination: to,
            destAsset: Asset.native(),
            destAmount: '3',
          }),
        ),
      '3.00',
      'XLM',
    ],
    [
      'by a payment to a muxed address',
      (to) => stranger.act(Operation.payment({ destination: muxed(to), asset: stranger.usdc, amount: '4' })),
      '4.00',
      'USDC',
    ],
    ['by a transfer of the contract', (to) => stranger.transferByContract(to, 50_000_000n), '5.00', 'USDC'],
  ])('%s is credited once', async (_how, send, amount, currency) => {
    const { userId, address } = await wallets.aWallet();
    await send(address);
    await eventually(() =>
      expect(messagesOf('balance.deposit_received', userId).map(({ payload }) => payload)).toEqual([
        { userId, amount, currency, operationId: expect.stringMatching(/^\d+$/) },
      ]),
    );
  });

  it('of an account that is merged is credited with what it held', async () => {
    const { userId, address } = await wallets.aWallet();
    const ending = await aStranger(testbed.sandbox);
    await ending.act(
      Operation.payment({ destination: stranger.address, asset: ending.usdc, amount: '1000' }),
      Operation.changeTrust({ asset: ending.usdc, limit: '0' }),
      Operation.accountMerge({ destination: address }),
    );
    const [deposit] = await eventually(() => {
      const deposits = messagesOf('balance.deposit_received', userId);
      expect(deposits).toHaveLength(1);
      return deposits;
    });
    expect(deposit?.payload).toMatchObject({ userId, currency: 'XLM', amount: expect.stringMatching(/^999\.99/) });
    const listed = await wallets.get(`/users/${userId}/wallet/transactions`);
    expect(listed.data.data[0]).toMatchObject({
      type: 'account_merge',
      direction: 'IN',
      amount: (deposit?.payload as { readonly amount: string }).amount,
      asset: 'XLM',
    });
  });

  it('in a claimable balance is published for a case, and not credited', async () => {
    const { userId, address } = await wallets.aWallet();
    const claimants = [new Claimant(address), new Claimant(stranger.address)];
    await stranger.act(Operation.createClaimableBalance({ asset: stranger.usdc, amount: '6', claimants }));
    await eventually(() =>
      expect(messagesOf('custody.unknown_deposit_found', userId).map(({ payload }) => payload)).toEqual([
        {
          operationId: expect.stringMatching(/^\d+$/),
          form: 'claimable_balance',
          amount: '6.00',
          currency: 'USDC',
          userId,
          orderId: null,
        },
      ]),
    );
    expect(messagesOf('balance.deposit_received', userId)).toEqual([]);
  });
});

describe('custody', () => {
  it('equals the network', async () => {
    await eventually(async () => expect((await custodyOf(testbed)).wrong).toEqual([]));
  });
});

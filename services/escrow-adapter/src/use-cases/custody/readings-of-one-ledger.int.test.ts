import { eventually } from '@holdfast/testing/eventually';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { landedIn } from '../../testing/custody.js';
import { aWalletTestbed, type RunningWallets, type WalletTestbed } from '../../testing/running-wallets.js';

let testbed: WalletTestbed;
let wallets: RunningWallets;

beforeAll(async () => {
  testbed = await aWalletTestbed();
  // Only what a reading needs is read from the history.
  wallets = await testbed.start({ LEDGER_WATCH_EVERY_MS: '600000' });
}, serverStartTimeoutMs);

afterEach(() => testbed.acknowledgeOnly(() => true));
afterAll(() => testbed.end());

async function latestLedger(): Promise<number> {
  const root = (await (await fetch(testbed.sandbox.horizonUrl)).json()) as { readonly history_latest_ledger: number };
  return root.history_latest_ledger;
}

const follow = (ledger: number) => wallets.module.wallets.followTo(ledger, AbortSignal.timeout(10_000));
const movingAt = (ledger: number) => wallets.module.wallets.movingAt(ledger);

describe('a reading after one ledger', () => {
  it('has the transactions up to it published, with their ledgers, and names the accounts on their way to the journal', async () => {
    const { userId, address } = await wallets.aWallet();
    const before = await latestLedger();
    await follow(before);
    await eventually(async () => expect(await movingAt(before)).toEqual([]));
    testbed.acknowledgeOnly(() => false);
    await testbed.pay(address, 'USDC', '5');
    const after = await latestLedger();
    await follow(after);
    const ofWallet = { place: 'wallet', ownerId: userId };
    await eventually(() => {
      const found = landedIn(testbed.published).find(({ legs }) =>
        legs.some(({ ownerId, asset }) => ownerId === userId && asset === 'USDC'),
      );
      expect(found?.ledger).toBeGreaterThan(before);
    });
    expect(await movingAt(after)).toContainEqual(ofWallet);
    expect(await movingAt(before)).not.toContainEqual(ofWallet);
  });

  it('waits for the history, and says so if it does not come', async () => {
    const signal = AbortSignal.timeout(300);
    await expect(wallets.module.wallets.followTo((await latestLedger()) + 1_000, signal)).rejects.toThrow();
  });
});

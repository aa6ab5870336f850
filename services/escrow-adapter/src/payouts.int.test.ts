import { Keypair } from '@stellar/stellar-sdk';
import { eventually } from '@holdfast/testing/eventually';
import { payoutReplies, requestPayout, type TestPayout } from './testing/payouts.js';
import { startAdapter, type ReplicaOptions, type RunningAdapter } from './testing/running-adapter.js';
import { balanceOf } from './testing/sandbox-state.js';

const onNetwork = { target: 'ledger-network' } as const;

let adapter: RunningAdapter;

async function start(options?: ReplicaOptions): Promise<void> {
  adapter = await startAdapter(options);
}

const replyTo = ({ withdrawalId }: TestPayout) => adapter.waitForReply(withdrawalId, ...payoutReplies);

/** A user whose account exists before a fault is set, so that the fault strikes the payout. */
async function aUser() {
  const userId = adapter.newId('usr');
  return { userId, address: await adapter.accounts.wallets.addressOf(userId, 'mkt_default') };
}

async function walletWith(amount: string, asset: 'USDC' | 'XLM' = 'USDC') {
  const { userId, address } = await aUser();
  await adapter.accounts.give(address, asset, amount);
  return { userId, address };
}

async function treasuryHolds(asset: string): Promise<number> {
  const addresses = await adapter.accounts.wallets.addressesAt('treasury', null);
  const held = await Promise.all(addresses.map((address) => balanceOf(adapter, address, asset)));
  return held.reduce((sum, amount) => sum + amount, 0);
}

const transactionsOf = ({ command }: TestPayout): Promise<readonly { readonly hash: string; readonly state: string }[]> =>
  adapter.database.asAdmin('select hash, state from escrow_adapter.ledger_transactions where intent_id = $1', [command.id]);

describe('a payout on the ledger network', () => {
  beforeAll(() => start(), 120_000);
  afterEach(() => adapter.clearFaults());
  afterAll(() => adapter.stop());

  it.each([
    ['USDC', 'USDC', '25.00', 25],
    ['USD', 'USDC', '0.01', 0.01],
    ['XLM', 'XLM', '3.0000001', 3.0000001],
  ] as const)(
    'of %s is paid in %s by the treasury, once however often it is requested',
    async (currency, asset, amount, paid) => {
      const address = await adapter.accounts.openOutside();
      const before = await balanceOf(adapter, address, asset);
      const payout = await requestPayout(adapter, { address, currency, amount });
      const reply = await replyTo(payout);
      const [transaction] = await transactionsOf(payout);
      const { command, ...request } = payout;
      expect(reply).toMatchObject({
        type: 'withdrawal.ledger_payout_landed',
        payload: { ...request, transactionHash: transaction?.hash },
        saga: 'ledger-payout',
        sagaRunId: command.sagaRunId,
        afterEventId: command.afterEventId,
      });
      await adapter.republish(command);
      const sameReplies = () => adapter.published.filter(({ id }) => id === reply.id);
      await eventually(() => expect(sameReplies()).toHaveLength(2));
      expect(await transactionsOf(payout)).toMatchObject([{ state: 'LANDED' }]);
      expect((await balanceOf(adapter, address, asset)) - before).toBeCloseTo(paid, 7);
    },
  );

  it("is paid from the user's wallet if it holds enough", async () => {
    const { userId, address: wallet } = await walletWith('40');
    const [address, treasury] = [await adapter.accounts.openOutside(), await treasuryHolds('USDC')];
    expect((await replyTo(await requestPayout(adapter, { address, userId }))).type).toBe('withdrawal.ledger_payout_landed');
    expect(await balanceOf(adapter, wallet)).toBe(15);
    expect(await balanceOf(adapter, address)).toBe(25);
    expect(await treasuryHolds('USDC')).toBe(treasury);
  });

  it('leaves the reserve of a wallet in it, and is paid by the treasury instead', async () => {
    const { userId, address: wallet } = await walletWith('1', 'XLM');
    const held = await balanceOf(adapter, wallet, 'XLM');
    const address = await adapter.accounts.openOutside();
    const payout = await requestPayout(adapter, { address, userId, currency: 'XLM', amount: `${Math.floor(held)}.00` });
    expect((await replyTo(payout)).type).toBe('withdrawal.ledger_payout_landed');
    expect(await balanceOf(adapter, wallet, 'XLM')).toBe(held);
  });

  it('of XLM creates the account of its address', async () => {
    const address = Keypair.random().publicKey();
    expect((await replyTo(await requestPayout(adapter, { address, currency: 'XLM', amount: '1.00' }))).type).toBe(
      'withdrawal.ledger_payout_landed',
    );
    expect(await balanceOf(adapter, address, 'XLM')).toBe(1);
  });

  it.each([
    ['an account that does not exist, in USDC', { currency: 'USDC' }, /does not exist on the ledger network/],
    ['an account that does not exist, in less XLM than it needs', { currency: 'XLM', amount: '0.99' }, /at least 1 XLM/],
  ] as const)('to %s fails, and nothing is signed', async (_, given, reason) => {
    const payout = await requestPayout(adapter, { ...given, address: Keypair.random().publicKey() });
    expect(await replyTo(payout)).toMatchObject({
      type: 'withdrawal.ledger_payout_failed',
      payload: { withdrawalId: payout.withdrawalId, amount: payout.amount, reason: expect.stringMatching(reason) },
    });
    expect(await transactionsOf(payout)).toEqual([]);
  });

  it('to an account without a trustline fails, and the same payout again gets the same reply', async () => {
    const address = Keypair.random().publicKey();
    await adapter.accounts.give(address, 'XLM', '10');
    const payout = await requestPayout(adapter, { address });
    const reply = await replyTo(payout);
    expect(reply.payload).toMatchObject({ reason: 'the account has no trustline for USDC' });
    await adapter.republish(payout.command);
    await eventually(() => expect(adapter.published.filter(({ id }) => id === reply.id)).toHaveLength(2));
  });

  it('to an address of the platform itself fails', async () => {
    const { address } = await walletWith('1');
    const reply = await replyTo(await requestPayout(adapter, { address }));
    expect(reply.payload).toMatchObject({ reason: 'the address belongs to this platform' });
  });

  it('whose submission times out after the effect is paid once', async () => {
    const [{ userId }, address] = [await aUser(), await adapter.accounts.openOutside()];
    await adapter.fault('submit', 'timeout-after-effect', { ...onNetwork, times: 1 });
    const payout = await requestPayout(adapter, { address, userId });
    expect((await replyTo(payout)).type).toBe('withdrawal.ledger_payout_landed');
    expect(await balanceOf(adapter, address)).toBe(25);
    expect(await transactionsOf(payout)).toMatchObject([{ state: 'LANDED' }]);
  });

  it('is submitted again, unchanged, until the network accepts it', async () => {
    const [{ userId }, address] = [await aUser(), await adapter.accounts.openOutside()];
    await adapter.fault('submit', 'error-before-effect', { ...onNetwork, times: 3 });
    const payout = await requestPayout(adapter, { address, userId });
    expect((await replyTo(payout)).type).toBe('withdrawal.ledger_payout_landed');
    expect(await balanceOf(adapter, address)).toBe(25);
    expect(await transactionsOf(payout)).toMatchObject([{ state: 'LANDED' }]);
  });

  it('waits while the network cannot be read', async () => {
    const [{ userId }, address] = [await aUser(), await adapter.accounts.openOutside()];
    await adapter.fault('read', 'error-before-effect', { ...onNetwork, times: 5 });
    expect((await replyTo(await requestPayout(adapter, { address, userId }))).type).toBe('withdrawal.ledger_payout_landed');
    expect(await balanceOf(adapter, address)).toBe(25);
  });

  it('that the database has lost since, as after a restore from a backup, is found on the network and not paid again', async () => {
    const address = await adapter.accounts.openOutside();
    const payout = await requestPayout(adapter, { address });
    const { payload: paid } = await replyTo(payout);
    const lost = [
      'delete from escrow_adapter.ledger_transactions where intent_id = $1',
      'delete from escrow_adapter.intents where id = $1',
      'delete from escrow_adapter.inbox where message_id = $1',
    ];
    for (const statement of lost) await adapter.database.asAdmin(statement, [payout.command.id]);
    await adapter.republish(payout.command);
    await eventually(() =>
      expect(adapter.published.filter(({ payload }) => JSON.stringify(payload) === JSON.stringify(paid))).toHaveLength(2),
    );
    expect(await transactionsOf(payout)).toEqual([]);
    expect(await balanceOf(adapter, address)).toBe(25);
  });

  it('in parallel with others of one wallet spends no more than the wallet holds; the treasury pays the rest', async () => {
    const { userId, address: wallet } = await walletWith('30');
    const address = await adapter.accounts.openOutside();
    const payouts = await Promise.all(
      Array.from({ length: 10 }, () => requestPayout(adapter, { address, userId, amount: '5.00' })),
    );
    for (const payout of payouts) expect((await replyTo(payout)).type).toBe('withdrawal.ledger_payout_landed');
    expect(await balanceOf(adapter, wallet)).toBe(0);
    expect(await balanceOf(adapter, address)).toBe(50);
  });
});

describe('a payout that the network refuses', () => {
  it('fails once the failed transaction is on the network, and no money has moved', async () => {
    const address = Keypair.random().publicKey();
    // The trustline was removed after the destination was checked.
    await start({
      wrapNetwork: (network) => ({
        ...network,
        account: async (sought) => {
          const account = await network.account(sought);
          return account === undefined || sought !== address ? account : { ...account, balances: { USDC: 0n } };
        },
      }),
    });
    try {
      await adapter.accounts.give(address, 'XLM', '10');
      const treasury = await treasuryHolds('USDC');
      const payout = await requestPayout(adapter, { address });
      expect((await replyTo(payout)).type).toBe('withdrawal.ledger_payout_failed');
      expect(await transactionsOf(payout)).toMatchObject([{ state: 'FAILED' }]);
      expect(await treasuryHolds('USDC')).toBe(treasury);
    } finally {
      await adapter.stop();
    }
  });

  it('because a lagging node did not have the account yet is paid by the next run, once', async () => {
    const address = Keypair.random().publicKey();
    let isLagging = true;
    await start({
      wrapNetwork: (network) => ({
        ...network,
        account: async (sought) => {
          if (sought !== address || !isLagging) return network.account(sought);
          isLagging = false;
          return undefined;
        },
      }),
    });
    try {
      await adapter.accounts.give(address, 'XLM', '10');
      const payout = await requestPayout(adapter, { address, currency: 'XLM', amount: '5.00' });
      expect((await replyTo(payout)).type).toBe('withdrawal.ledger_payout_landed');
      expect((await transactionsOf(payout)).map(({ state }) => state).toSorted()).toEqual(['FAILED', 'LANDED']);
      expect(await balanceOf(adapter, address, 'XLM')).toBe(15);
    } finally {
      await adapter.stop();
    }
  });
});

describe('a payout beyond the spending cap of the treasury', () => {
  beforeAll(() => start({ spendingPerHourMax: 10 }), 120_000);
  afterAll(() => adapter.stop());

  it('waits without counting attempts, and is paid when the hour is over', async () => {
    const address = await adapter.accounts.openOutside();
    await replyTo(await requestPayout(adapter, { address, amount: '8.00' }));
    const counted = `select cap, cause like 'fee %' as "isFee" from escrow_adapter.spendings order by cap`;
    expect(await adapter.database.asAdmin(counted)).toEqual([
      { cap: 'treasury USDC', isFee: false },
      { cap: 'treasury XLM', isFee: true },
    ]);
    const waiting = await requestPayout(adapter, { address, amount: '5.00' });
    await eventually(async () =>
      expect(
        await adapter.database.asAdmin('select attempts from escrow_adapter.intents where closed_at is null and due_at > now()'),
      ).toEqual([{ attempts: 0 }]),
    );
    expect(await balanceOf(adapter, address)).toBe(8);
    await adapter.database.asAdmin(`update escrow_adapter.spendings set begun_at = begun_at - interval '61 minutes'`);
    await adapter.republish(waiting.command);
    expect((await replyTo(waiting)).type).toBe('withdrawal.ledger_payout_landed');
    expect(await balanceOf(adapter, address)).toBe(13);
  });

  it('does not concern what wallets pay themselves', async () => {
    const { userId } = await walletWith('40');
    const address = await adapter.accounts.openOutside();
    const payout = await requestPayout(adapter, { address, userId, amount: '40.00' });
    expect((await replyTo(payout)).type).toBe('withdrawal.ledger_payout_landed');
  });
});

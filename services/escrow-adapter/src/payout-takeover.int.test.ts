import { eventually } from '@holdfast/testing/eventually';
import { payoutReplies, requestPayout } from './testing/payouts.js';
import { startAdapter, type ReplicaOptions, type RunningAdapter } from './testing/running-adapter.js';
import { balanceOf } from './testing/sandbox-state.js';

const forEver = (): Promise<never> => new Promise(() => undefined);

/** A process that hangs stands for a dead one: it renews no lease and polls for no intent. */
const never = 3_600_000;
const dying = {
  leaseMs: 600,
  workerLimits: { renewEveryMs: never, pollMs: never, drainTimeoutMs: 50 },
  accountLeases: { leaseMs: 600, renewEveryMs: never },
} as const;
const survivor = { leaseMs: 600, workerLimits: { renewEveryMs: 100, pollMs: 100 } } as const;

/** A dead process looks nothing up any more. */
const blind = { evidenceOf: forEver, evidenceOfOvertaken: forEver };

/** The points at which a process dies. */
const deaths: Readonly<Record<string, ReplicaOptions>> = {
  'before anything was built': { wrapNetwork: (network) => ({ ...network, account: forEver }) },
  'between the stored envelope and its submission': { wrapRpc: (rpc) => ({ ...rpc, ...blind, submit: forEver }) },
  'between the submission and the commit': {
    wrapRpc: (rpc) => ({ ...rpc, ...blind, submit: (signedXdr) => rpc.submit(signedXdr).then(forEver) }),
  },
};

describe.each(Object.entries(deaths))('a process that dies %s', (_, death) => {
  let adapter: RunningAdapter;
  beforeAll(async () => {
    adapter = await startAdapter({ ...dying, ...death });
  });
  afterAll(() => adapter.stop());

  it('leaves a payout to another process, which pays it once', async () => {
    const address = await adapter.accounts.openOutside();
    const { withdrawalId, command } = await requestPayout(adapter, { address });
    await eventually(async () =>
      expect(
        await adapter.database.asAdmin('select id from escrow_adapter.intents where closed_at is null and lease_until < now()'),
      ).toEqual([{ id: command.id }]),
    );
    await adapter.another(survivor);
    expect((await adapter.waitForReply(withdrawalId, ...payoutReplies)).type).toBe('withdrawal.ledger_payout_landed');
    expect(await balanceOf(adapter, address)).toBe(25);
    expect(await adapter.database.asAdmin('select state from escrow_adapter.ledger_transactions')).toEqual([{ state: 'LANDED' }]);
  });
});

describe('two concurrent processes', () => {
  it('pay every withdrawal once, also when each command is delivered several times', async () => {
    const adapter = await startAdapter();
    try {
      await adapter.another();
      const userId = adapter.newId('usr');
      await adapter.accounts.give(await adapter.accounts.wallets.addressOf(userId, 'mkt_default'), 'USDC', '10');
      const address = await adapter.accounts.openOutside();
      const payouts = await Promise.all(
        Array.from({ length: 12 }, () => requestPayout(adapter, { address, userId, amount: '2.00' })),
      );
      await Promise.all([...payouts, ...payouts].map(({ command }) => adapter.republish(command)));
      for (const { withdrawalId } of payouts)
        expect((await adapter.waitForReply(withdrawalId, ...payoutReplies)).type).toBe('withdrawal.ledger_payout_landed');
      expect(await balanceOf(adapter, address)).toBe(24);
    } finally {
      await adapter.stop();
    }
  });
});

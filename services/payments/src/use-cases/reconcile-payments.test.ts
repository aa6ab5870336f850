import { money } from '@holdfast/kernel/money';
import type { ReportContext } from './compare-payments.js';
import type { Deps } from './ports.js';
import type { Statement } from './provider-ports.js';
import { reconcilePayments } from './reconcile-payments.js';

const dollar = 10_000_000n;
const nothingMoved: Statement = { payins: [], payouts: [], pendingPayouts: [], unreadable: [] };
const payout = { providerId: 'po_1', code: 'wd_1', amount: money(40n * dollar, 'USD'), feeUnits: dollar / 5n };
const withPayout = { ...nothingMoved, pendingPayouts: [payout] } as unknown as Statement;

const ctx = { requestId: 'req_1', signal: AbortSignal.timeout(60_000) } as unknown as ReportContext;

/** A provider whose balance is what it is, with one statement after the other; the last one stays. */
function depsWith(balanceUnits: bigint, statements: readonly Statement[]): Deps {
  const none = (): Promise<readonly never[]> => Promise.resolve([]);
  const rest = [...statements];
  const tx = {
    providerAccount: { recordFees: async () => 0n, recordCapital: async () => ({ units: 100n * dollar, isNew: false }) },
    publish: () => undefined,
  };
  return {
    provider: {
      balance: async () => balanceUnits,
      statement: async () => (rest.length > 1 ? rest.shift() : rest[0]),
    },
    books: { externalUnits: async () => ({ payins: 0n, payouts: 0n }) },
    bookings: {
      ofPayins: none,
      ofPayouts: none,
      succeededTopups: none,
      completedWithdrawals: none,
      hasActiveCases: async () => false,
    },
    inTransaction: (work: (unit: typeof tx) => Promise<unknown>) => work(tx),
  } as unknown as Deps;
}

describe('what the balance at the provider has beyond payments', () => {
  it('is nothing where a payout left and came back while it was read', async () => {
    const found = await reconcilePayments(depsWith(100n * dollar, [withPayout, nothingMoved]), ctx);
    expect([found.balanceDifferenceUnits, found.pendingPayouts]).toEqual([0n, []]);
  });

  it('counts when two readings in a row find it', async () => {
    const found = await reconcilePayments(depsWith(107n * dollar, [nothingMoved]), ctx);
    expect(found.balanceDifferenceUnits).toBe(7n * dollar);
  });
});

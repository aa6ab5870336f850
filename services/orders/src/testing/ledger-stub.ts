import type { Clock } from '@holdfast/kernel/context';
import { findOrderTransfers, getBalances, type OrderTransfer } from '@holdfast/contracts/http';
import { AppError } from '@holdfast/kernel/errors';
import { handle } from '@holdfast/http/server';
import { startStubService } from '@holdfast/testing/services';

export type LedgerStub = {
  readonly url: string;
  /** By default a user has plenty in every currency. Undefined: the balance cannot be read. */
  readonly setAvailable: (userId: string, amount: string | undefined) => void;
  readonly stop: () => Promise<void>;
};

/** Serves the internal routes of ledger-balance that orders calls. */
export async function startLedgerStub(secret: string, clock: Clock): Promise<LedgerStub> {
  const available = new Map<string, string | undefined>();
  const amountOf = (userId: string): string => {
    const amount = available.has(userId) ? available.get(userId) : '1000000.00';
    if (amount === undefined) throw new AppError('SERVICE_UNAVAILABLE');
    return amount;
  };
  const balances = handle(getBalances, async ({ body: { userIds, currency } }) => ({
    balances: userIds.map((userId) => {
      const amount = amountOf(userId);
      return { userId, available: amount, reserved: '0.00', total: amount, currency };
    }),
  }));
  // One transfer, whose description repeats the request.
  const transfers = handle(findOrderTransfers, ({ params: { id }, query: { limit, cursor, createdAfter } }, { caller }) => {
    const description = [caller.marketplaceId, limit, cursor, createdAfter].join(' ');
    const unnamed = { milestoneRef: null, reference: null } as const;
    const item: OrderTransfer = {
      id: 'tr_1',
      type: 'RESERVE',
      orderId: id,
      ...unnamed,
      description,
      legs: [],
      createdAt: clock.now(),
    };
    return Promise.resolve({ items: [item], nextCursor: item.id });
  });
  const routes = [balances, transfers];
  const { url, stop } = await startStubService({ service: 'ledger-balance', secret, clock, routes });
  return { url, stop, setAvailable: (userId, amount) => void available.set(userId, amount) };
}

import type { Clock } from '@holdfast/kernel/context';
import { refreshUserPayments } from '@holdfast/contracts/http';
import { AppError } from '@holdfast/kernel/errors';
import { handle } from '@holdfast/http/server';
import type { TopupId, UserId } from '@holdfast/kernel/ids';
import type { Currency } from '@holdfast/kernel/money';
import { startStubService } from '@holdfast/testing/services';

export type PaymentsStub = {
  readonly url: string;
  /** What the next refresh does before it responds. It returns the top-ups that it has credited. */
  readonly onRefresh: (work: Refresh) => void;
  readonly setDown: (isDown: boolean) => void;
  readonly stop: () => Promise<void>;
};

type CreditedTopup = { readonly topupId: TopupId; readonly amount: string; readonly currency: Currency };
type Refresh = (userId: UserId) => Promise<readonly CreditedTopup[]>;

const nothing: Refresh = () => Promise.resolve([]);

/** Serves the internal route of payments that the ledger calls. */
export async function startPaymentsStub(secret: string, clock: Clock): Promise<PaymentsStub> {
  let work: Refresh = nothing;
  let isDown = false;
  const refresh = handle(refreshUserPayments, async ({ params: { userId } }) => {
    if (isDown) throw new AppError('SERVICE_UNAVAILABLE');
    const next = work;
    work = nothing;
    const credited = await next(userId);
    return { refreshed: next === nothing ? 0 : 1, credited: [...credited] };
  });
  const { url, stop } = await startStubService({ service: 'payments', secret, clock, routes: [refresh] });
  return { url, stop, onRefresh: (next) => void (work = next), setDown: (wanted) => void (isDown = wanted) };
}

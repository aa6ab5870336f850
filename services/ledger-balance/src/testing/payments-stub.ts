import type { Clock } from '@holdfast/kernel/context';
import { refreshUserPayments } from '@holdfast/contracts/http';
import { AppError } from '@holdfast/kernel/errors';
import { handle } from '@holdfast/http/server';
import type { UserId } from '@holdfast/kernel/ids';
import { startStubService } from '@holdfast/testing/services';

export type PaymentsStub = {
  readonly url: string;
  /** What the next refresh does before it responds. */
  readonly onRefresh: (work: (userId: UserId) => Promise<void>) => void;
  readonly setDown: (isDown: boolean) => void;
  readonly stop: () => Promise<void>;
};

const nothing = (): Promise<void> => Promise.resolve();

/** Serves the internal route of payments that the ledger calls. */
export async function startPaymentsStub(secret: string, clock: Clock): Promise<PaymentsStub> {
  let work: (userId: UserId) => Promise<void> = nothing;
  let isDown = false;
  const refresh = handle(refreshUserPayments, async ({ params: { userId } }) => {
    if (isDown) throw new AppError('SERVICE_UNAVAILABLE');
    const next = work;
    work = nothing;
    await next(userId);
    return { refreshed: next === nothing ? 0 : 1 };
  });
  const { url, stop } = await startStubService({ service: 'payments', secret, clock, routes: [refresh] });
  return { url, stop, onRefresh: (next) => void (work = next), setDown: (wanted) => void (isDown = wanted) };
}

import {
  getPaymentProviderState,
  getProviderStates,
  getTestClockInOrders,
  getTestClockInPayments,
  type RemainingWork,
} from '@holdfast/contracts/http';
import type { ServiceClient } from '@holdfast/http/service-client';
import { retry } from '@holdfast/kernel/async';
import type { Clock, Context } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import type { Deps } from '../use-cases/ports.js';

type Options = {
  readonly adapter: ServiceClient;
  readonly payments: ServiceClient;
  readonly orders: ServiceClient;
  readonly isProduction: boolean;
  readonly clock: Pick<Clock, 'now'>;
  /** How long a request waits until everything has happened that is due. */
  readonly timeoutMs: number;
};

const pollBackoff = { firstDelayMs: 10, delayMsMax: 250 };

/** The test clock exists where the sandbox plays all providers: their services say so, and no setting can say otherwise. */
export function testClockOf(options: Options): Deps['testClock'] {
  const { orders, payments, isProduction, clock, timeoutMs } = options;
  const consumers = [
    { client: orders, route: getTestClockInOrders },
    { client: payments, route: getTestClockInPayments },
  ] as const;
  return {
    now: clock.now,
    requireAvailable: async (ctx) => {
      if (isProduction || !(await hasSandboxOnly(options, ctx))) throw new AppError('NOT_FOUND');
    },
    remainingAt: async (offsetSeconds, ctx) => {
      const signal = AbortSignal.timeout(timeoutMs);
      const remaining = consumers.map((consumer) => waitUntilSettled(consumer, { offsetSeconds, signal }, ctx));
      return (await Promise.all(remaining)).flat();
    },
  };
}

async function hasSandboxOnly({ adapter, payments }: Options, { requestId, caller }: Context): Promise<boolean> {
  const requestContext = { requestId, marketplaceId: caller.marketplaceId };
  const [{ escrowProvider, ledgerNetwork }, { paymentProvider }] = await Promise.all([
    adapter.call(getProviderStates, {}, requestContext),
    payments.call(getPaymentProviderState, {}, requestContext),
  ]);
  return [escrowProvider, ledgerNetwork, paymentProvider].every(({ kind }) => kind === 'sandbox');
}

type Consumer = {
  readonly client: ServiceClient;
  readonly route: typeof getTestClockInOrders | typeof getTestClockInPayments;
};

/** Polls until the clock of the service has come so far and nothing is left. Returns what is left at the time limit. */
async function waitUntilSettled(
  { client, route }: Consumer,
  { offsetSeconds, signal }: { readonly offsetSeconds: number; readonly signal: AbortSignal },
  { requestId, caller: { marketplaceId } }: Context,
): Promise<readonly RemainingWork[]> {
  const clockIsBehind: RemainingWork = { kind: 'test-clock', id: route.service, dueAt: null };
  let latest: readonly RemainingWork[] = [clockIsBehind];
  const requireSettled = async (): Promise<void> => {
    const report = await client.call(route, { params: { marketplaceId } }, { requestId, marketplaceId });
    latest = report.remaining.length === 0 ? [clockIsBehind] : report.remaining;
    if (report.offsetSeconds < offsetSeconds || report.remaining.length > 0) throw new Error('the test clock is behind');
  };
  const poll = { ...pollBackoff, attemptsMax: Number.POSITIVE_INFINITY, signal };
  return retry(requireSettled, poll).then(
    () => [],
    () => latest,
  );
}

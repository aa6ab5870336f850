import {
  getPaymentProviderState,
  getProviderStates,
  getTestClockInOrders,
  getTestClockInPayments,
  type RemainingWork,
} from '@holdfast/contracts/http';
import { handle } from '@holdfast/http/server';

export type ProviderKind = 'sandbox' | 'live';

/** What the services that fire timers say, and those that know the providers. */
export type ClockStubs = {
  /** By default the sandbox plays all providers. */
  readonly setKinds: (kinds: {
    readonly payment?: ProviderKind;
    readonly escrow?: ProviderKind;
    readonly ledger?: ProviderKind;
  }) => void;
  /** What remains in orders; by default nothing. */
  readonly setRemaining: (remaining: readonly RemainingWork[]) => void;
  /** How far the clocks have come at orders; by default as far as any request wants. */
  readonly setReached: (offsetSeconds: number) => void;
};

export function clockStubs() {
  const kinds: Record<'payment' | 'escrow' | 'ledger', ProviderKind> = {
    payment: 'sandbox',
    escrow: 'sandbox',
    ledger: 'sandbox',
  };
  let remaining: readonly RemainingWork[] = [];
  let offsetSeconds = Number.MAX_SAFE_INTEGER;
  const health = { status: 'healthy', latencyMs: 1 } as const;
  const provider = (name: keyof typeof kinds) => ({ kind: kinds[name], health });
  const states = async () => ({ escrowProvider: provider('escrow'), ledgerNetwork: provider('ledger') });
  const stubs: ClockStubs = {
    setKinds: (given) => void Object.assign(kinds, { payment: 'sandbox', escrow: 'sandbox', ledger: 'sandbox', ...given }),
    setRemaining: (given) => void (remaining = given),
    setReached: (given) => void (offsetSeconds = given),
  };
  return {
    stubs,
    routes: {
      orders: [handle(getTestClockInOrders, async () => ({ offsetSeconds, remaining: [...remaining] }))],
      adapter: [handle(getProviderStates, states)],
      payments: [
        handle(getPaymentProviderState, async () => ({ paymentProvider: provider('payment') })),
        handle(getTestClockInPayments, async () => ({ offsetSeconds: Number.MAX_SAFE_INTEGER, remaining: [] })),
      ],
    },
  };
}

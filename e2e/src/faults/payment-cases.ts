import type { ServiceName } from '@holdfast/contracts/services';
import type { MessageDeclaration } from '@holdfast/contracts/messages';
import { allSagas, awaitedBy, paymentOperations, type ProviderOperation } from '@holdfast/contracts/sagas';
import type { Flow, PaymentStep } from './payment-life.js';
import type { Fault } from './sandbox-control.js';

/** The step of a flow during which a saga runs. */
export type PaymentMoment = { readonly saga: string; readonly flow: Flow; readonly during: PaymentStep };

/** The sagas of top-ups, withdrawals and reconciliation cases. */
export const startedByPayments = allSagas.filter(({ steps }) => steps['start']?.by === 'payments');

/** Throws for a saga that the matrix cannot start, so that a new one is not left out. */
function momentOf(saga: string): PaymentMoment {
  switch (saga) {
    case 'top-up':
      return { saga, flow: 'top-up', during: 'confirm' };
    case 'withdraw':
      return { saga, flow: 'bank', during: 'create-withdrawal' };
    case 'complete-withdrawal':
      return { saga, flow: 'bank', during: 'complete' };
    case 'free-withdrawal':
      return { saga, flow: 'canceled', during: 'cancel-withdrawal' };
    case 'ledger-payout':
      return { saga, flow: 'ledger', during: 'commit' };
    case 'open-case':
      return { saga, flow: 'late', during: 'confirm' };
    case 'resolve-case':
      return { saga, flow: 'late', during: 'resolve-case' };
    default:
      throw new Error(`The fault matrix has no flow with the saga ${saga}.`);
  }
}

/** The step that calls each operation of the payment provider. */
const callers: Readonly<Record<(typeof paymentOperations)[number] | 'read', PaymentMoment>> = {
  'create-payin': { saga: 'top-up', flow: 'top-up', during: 'create-topup' },
  'create-payout': { saga: 'complete-withdrawal', flow: 'bank', during: 'commit' },
  commit: { saga: 'complete-withdrawal', flow: 'bank', during: 'commit' },
  read: { saga: 'top-up', flow: 'top-up', during: 'refresh-topup' },
};

export type PaymentFault = PaymentMoment & { readonly name: string; readonly fault: Fault };

const kinds = [
  'error-before-effect',
  'error-after-effect',
  'timeout-after-effect',
  'rate-limited',
  'malformed',
  'latency',
] as const;
const latencyMs = 300;

/** Every fault kind at every operation of the payment provider, once and until it is removed, and at the network during its payouts. */
export const allPaymentFaults: readonly PaymentFault[] = [
  ...Object.entries(callers).flatMap(([operation, moment]) =>
    kinds.flatMap((kind) =>
      [1, undefined].map((times) => ({
        ...moment,
        name: `${operation} ${kind} ${times === undefined ? 'until it is mended' : 'once'}`,
        fault: { target: 'payment-provider', operation, kind, latencyMs, ...(times === undefined ? {} : { times }) } as const,
      })),
    ),
  ),
  ...kinds.map((kind) => ledgerPayoutFault({ target: 'ledger-network', operation: 'submit', kind, latencyMs, times: 1 })),
  ledgerPayoutFault({ target: 'ledger-network', operation: 'read', kind: 'error-before-effect', times: 3 }),
  ledgerPayoutFault({ target: 'ledger-network', operation: 'read', kind: 'lagging-node' }),
];

function ledgerPayoutFault(fault: Fault): PaymentFault {
  return { ...momentOf('ledger-payout'), name: `a payout at the ledger network: ${fault.operation} ${fault.kind}`, fault };
}

const chosenNames = [
  'create-payin timeout-after-effect once',
  'create-payin error-before-effect until it is mended',
  'create-payout error-after-effect once',
  'commit timeout-after-effect once',
  'commit malformed once',
  'read rate-limited once',
  'a payout at the ledger network: read lagging-node',
];
export const chosenPaymentFaults = allPaymentFaults.filter(({ name }) => chosenNames.includes(name));

export type PaymentLoss = PaymentMoment & { readonly name: string; readonly message: MessageDeclaration };

/** Nothing that users or providers do within a test leads to these; they are tested in the services. */
export const lossesWithoutCause: readonly string[] = [
  'balance.topup_refused',
  'balance.withdrawal_refused',
  'withdrawal.abort_requested',
  'withdrawal.ledger_payout_failed',
  'balance.case_refused',
];

/** Every message that a step of a saga of payments awaits. */
export const allPaymentLosses: readonly PaymentLoss[] = startedByPayments.flatMap(({ name: saga, steps }) =>
  [...new Set(Object.values(steps).flatMap(awaitedBy))]
    .filter(({ type }) => !lossesWithoutCause.includes(type))
    .map((message) => ({ ...momentOf(saga), name: `${message.type} in ${saga}`, message })),
);

const chosenLosses = ['balance.topup_credited in top-up', 'balance.withdrawal_deducted in complete-withdrawal'];
export const chosenPaymentLosses = allPaymentLosses.filter(({ name }) => chosenLosses.includes(name));

export type PaymentKill = PaymentMoment & {
  readonly name: string;
  readonly service: ServiceName;
  readonly held?: { readonly operation: string; readonly kind: 'latency' | 'timeout-after-effect' };
};

const heldKinds = [
  ['before', 'latency'],
  ['after', 'timeout-after-effect'],
] as const;

/** Before each provider call, after it and before the commit, and at any moment of each saga, for each service that takes part. */
export const allPaymentKills: readonly PaymentKill[] = [
  ...paymentOperations.flatMap((operation) =>
    heldKinds.map(([when, kind]) => ({
      ...callers[operation],
      name: `payments ${when} ${operation}`,
      service: 'payments' as const,
      held: { operation, kind },
    })),
  ),
  ...startedByPayments.flatMap(({ name: saga, steps }) =>
    [...new Set(Object.values(steps).map(({ by }) => by))].map((service) => ({
      ...momentOf(saga),
      name: `${service} during ${saga}, at any moment`,
      service,
    })),
  ),
];

/** The operations that the sagas of payments declare. */
export const declaredPaymentOperations: readonly ProviderOperation[] = startedByPayments.flatMap(({ steps }) =>
  Object.values(steps).flatMap(({ calls = [] }) => calls),
);

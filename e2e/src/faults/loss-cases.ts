import { balanceReservedDeducted, type MessageDeclaration } from '@holdfast/contracts/messages';
import { awaitedBy, type Saga } from '@holdfast/contracts/sagas';
import type { Api } from '../testing/api.js';
import type { Order } from './order-life.js';
import { requestOf, startedByOrders, type SagaRequest } from './saga-requests.js';
import type { Fault } from './sandbox-control.js';

/** A message that a step of a saga awaits, and that the broker loses once. */
export type LossCase = SagaRequest & {
  readonly name: string;
  readonly message: MessageDeclaration;
  /** What leads to the message, where the saga does not publish it otherwise. */
  readonly cause?: Cause;
};

/** What makes a step fail, until the message is lost. */
type Cause = {
  readonly fault?: Fault;
  /** The message before it in the run, where its consumer has another step before: until then that one must get its messages. */
  readonly follows?: MessageDeclaration;
  readonly before?: (api: Api, order: Order) => Promise<unknown>;
  readonly after?: (api: Api, order: Order) => Promise<unknown>;
};

/** Nothing that the platform's users or providers do leads to these within a test; they are tested in the services. */
export const withoutCause: readonly string[] = [
  'escrow.creation_unconfirmed',
  'escrow.settlement_contradicted',
  'balance.settlement_contradicted',
  'escrow.payout_correction_requested',
  'escrow.abort_requested',
  'order.abort_requested',
];

/** Every message that a step awaits, the command and the replies, in every saga of an order. */
export const allLosses: readonly LossCase[] = startedByOrders.flatMap((saga) =>
  [...new Set(Object.values(saga.steps).flatMap(awaitedBy))]
    .filter(({ type }) => !withoutCause.includes(type))
    .map((message) => lossCase(saga, message)),
);

/** The replies of the ledger that end, or lead to the end of, these sagas. Only one service consumes each, so that losing one holds back no other. */
export const chosenLosses: readonly LossCase[] = [
  pick('reserve', 'balance.reservation_made'),
  pick('cancel', 'balance.reservation_freed'),
  pick('fund', 'balance.reserved_deducted'),
  pick('refund', 'balance.escrow_settled'),
  pick('release-milestone', 'balance.escrow_settled'),
];

function pick(saga: string, type: string): LossCase {
  const found = allLosses.find((candidate) => candidate.saga === saga && candidate.message.type === type);
  if (found === undefined) throw new Error(`no step of ${saga} awaits ${type}`);
  return found;
}

function lossCase({ name: saga, steps }: Saga, message: MessageDeclaration): LossCase {
  const request = requestFor(saga, message);
  const isFailure = Object.values(steps).some(({ orElse = [] }) => orElse.includes(message));
  const cause = causeOf(saga, message);
  if (isFailure && cause === undefined) throw new Error(`The fault matrix has nothing that leads to ${message.type} in ${saga}.`);
  return {
    ...request,
    name: `${message.type} in ${saga} (${request.during})`,
    message,
    ...(cause === undefined ? {} : { cause }),
  };
}

/** A refused hold leaves an order that can only be canceled; the type of the message says which decision of a dispute leads to it. */
function requestFor(saga: string, { type }: MessageDeclaration): SagaRequest {
  const request = requestOf(saga);
  if (type === 'balance.reservation_refused') return { ...request, ending: 'cancel' };
  if (saga !== 'resolve-dispute') return request;
  const decision = decisionFor(type);
  return { ...request, during: decision, ending: decision };
}

function decisionFor(type: string): 'full-refund' | 'split' | 'full-release' {
  if (type === 'escrow.refunded') return 'full-refund';
  return type === 'balance.escrow_settled' ? 'split' : 'full-release';
}

const amount = '100.00';

function causeOf(saga: string, { type }: MessageDeclaration): Cause | undefined {
  switch (type) {
    case 'balance.reservation_refused':
      return {
        before: (api, { buyerId }) => api.post(`/users/${buyerId}/balance/debit`, { amount }),
        after: (api, { buyerId }) => api.post(`/users/${buyerId}/balance/credit`, { amount }),
      };
    case 'balance.deduction_refused':
      return {
        before: (api, { id, buyerId }) => api.post(`/users/${buyerId}/balance/release`, { amount, orderId: id }),
        after: (api, { id, buyerId }) => api.post(`/users/${buyerId}/balance/reserve`, { amount, orderId: id }),
      };
    case 'escrow.creation_failed':
      return { fault: refusing('deploy') };
    case 'escrow.funding_failed':
      return { fault: refusing('fund'), follows: balanceReservedDeducted };
    case 'balance.deduction_restored':
      return { fault: refusing('fund') };
    case 'escrow.settlement_failed':
      return { fault: refusing(saga.startsWith('refund') ? 'dispute' : 'approve') };
    default:
      return undefined;
  }
}

function refusing(operation: string): Fault {
  return { target: 'escrow-provider', operation, kind: 'wrong-function' };
}

import type { Instant } from '@holdfast/kernel/context';
import type { UserId, WithdrawalId } from '@holdfast/kernel/ids';
import type { Money } from '@holdfast/kernel/money';
import type { Aggregate } from '@holdfast/sagas';
import type { WithdrawalStatus } from './withdrawal-states.js';

export type DestinationType = 'bank' | 'ledger' | 'payment_account';

export type WithdrawalCancelRequest = { readonly canceledBy: string; readonly reason: string | null };

/** How the withdrawal ends once the ledger has deducted or freed its amount. */
export type WithdrawalOutcome =
  | { readonly move: 'complete'; readonly completedAt: Instant }
  | { readonly move: 'fail'; readonly reason: string; readonly errorCode: string | null }
  | ({ readonly move: 'cancel' } & WithdrawalCancelRequest);

/** One saga at a time acts on a withdrawal. */
export type WithdrawalSaga = 'withdraw' | 'ledger-payout' | 'complete-withdrawal' | 'free-withdrawal';

export type Withdrawal = Aggregate<WithdrawalSaga> & {
  readonly id: WithdrawalId;
  readonly userId: UserId;
  readonly amount: Money;
  readonly status: WithdrawalStatus;
  readonly destinationType: DestinationType;
  readonly destinationRef: string;
  readonly description: string | null;
  /** Whether it is committed as soon as its amount is reserved. */
  readonly commitsAtOnce: boolean;
  readonly providerPayoutId: string | null;
  readonly failureReason: string | null;
  readonly errorCode: string | null;
  readonly outcome: WithdrawalOutcome | null;
  /** Set once a committed withdrawal was canceled. It is canceled if nothing has been sent by then. */
  readonly cancelRequest: WithdrawalCancelRequest | null;
  /** When its amount was reserved; the withdrawal is visible from then on. */
  readonly reservedAt: Instant | null;
  readonly committedAt: Instant | null;
  readonly completedAt: Instant | null;
  readonly nextPollAt: Instant | null;
  readonly polls: number;
};

export function hasEnded({ status }: Pick<Withdrawal, 'status'>): boolean {
  return status === 'WITHDRAWAL_COMPLETED' || status === 'WITHDRAWAL_FAILED' || status === 'WITHDRAWAL_CANCELED';
}

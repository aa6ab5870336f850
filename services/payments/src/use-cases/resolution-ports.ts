import type { RunOutcome } from '@holdfast/contracts/http';
import type { Context, Instant } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import type { CaseId, MarketplaceId, TopupId, WithdrawalId } from '@holdfast/kernel/ids';

/** What an operator requests. */
export type ResolvePayment = {
  readonly id: TopupId | WithdrawalId | CaseId;
  readonly outcome: RunOutcome;
  /** The person who decides; the API key proves more than the name. */
  readonly by: string;
  readonly evidence: string;
  readonly credential: string;
  /** A transaction on the ledger network that proves a success. */
  readonly transactionHash?: string;
};

/** How an operator ends a payment; unresolved while a second API key is awaited. */
export type PaymentResolution = {
  /** The top-up or withdrawal, or the code of the return of a case. */
  readonly paymentId: string;
  readonly outcome: RunOutcome;
  readonly transactionHash: string | null;
  readonly requestedBy: string;
  readonly requestedKey: string;
  readonly requestedAt: Instant;
  readonly evidence: string;
  readonly approvedBy: string | null;
  readonly approvedKey: string | null;
  readonly approvalEvidence: string | null;
  readonly resolvedAt: Instant | null;
};

/** A verified API key. */
export type OperatorKey = { readonly id: string; readonly marketplaceId: MarketplaceId; readonly isSupport: boolean };

export type Credentials = {
  /** Undefined where the credential is not a valid API key. */
  readonly verify: (credential: string, ctx: Pick<Context, 'requestId'>) => Promise<OperatorKey | undefined>;
};

/** An address on the ledger network. */
export type FoundAddress = {
  /** It belongs to the platform. */
  readonly isOwn: boolean;
  /** What the treasury pays within an hour at most. Undefined: no cap. */
  readonly payoutUnitsMax: bigint | undefined;
};

export type LedgerPayouts = {
  /** Requests that the payout of a withdrawal is not sent; its reply says what came of it. False where none is open. */
  readonly requestCancellation: (id: WithdrawalId, ctx: Pick<Context, 'caller' | 'requestId'>) => Promise<boolean>;
  /** Ends the payout if the network proves the outcome; INVALID_STATE with a reason if it does not. */
  readonly resolve: (proof: LedgerPayoutProof, ctx: Pick<Context, 'requestId'>) => Promise<void>;
};

type LedgerPayoutProof = Pick<ResolvePayment, 'outcome' | 'transactionHash'> & {
  readonly id: WithdrawalId;
  readonly marketplaceId: MarketplaceId;
  /** Only the proof is wanted; nothing is ended. */
  readonly isCheck: boolean;
};

/** Ends a payment whose outcome is proved. Doing it again changes nothing. */
export type EndPayment = () => Promise<unknown>;

export function refuse(reason: string): never {
  throw new AppError('INVALID_STATE', { reason }, { message: `The payment cannot be resolved: ${reason}.` });
}

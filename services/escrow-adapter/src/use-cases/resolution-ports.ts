import type { RunOutcome } from '@holdfast/contracts/http';
import type { Envelope } from '@holdfast/contracts/messages';
import type { Instant } from '@holdfast/kernel/context';
import type { MarketplaceId, MessageId, SagaRunId, WithdrawalId } from '@holdfast/kernel/ids';
import type { Tx } from '@holdfast/postgres';
import type { Contract } from '../domain/contract.js';
import type { Intent } from '@holdfast/intents';
import type { Deps, IntentOf, SagaIntentKind } from './ports.js';

/** What an operator requests. */
export type ResolveRun = {
  readonly sagaRunId: SagaRunId;
  readonly outcome: RunOutcome;
  /** The person who decides. */
  readonly by: string;
  readonly evidence: string;
  /** A transaction on the network that proves a success. */
  readonly transactionHash?: string;
  /** The contract that a deployment has made. */
  readonly contractId?: string;
};

/** How an operator ends a saga run; unresolved while a second person is awaited. */
export type Resolution = {
  readonly sagaRunId: SagaRunId;
  readonly intentId: MessageId;
  readonly outcome: RunOutcome;
  readonly transactionHash: string | null;
  readonly contractId: string | null;
  readonly requestedBy: string;
  readonly requestedAt: Instant;
  readonly evidence: string;
  readonly approvedBy: string | null;
  readonly approvalEvidence: string | null;
  readonly resolvedAt: Instant | null;
};

export type TransactionOfRun = {
  readonly hash: string;
  readonly step: string;
  /** `open`: it may still land. `forgotten`: it cannot land any more, and no node may remember whether it has. */
  readonly state: 'ended' | 'open' | 'forgotten';
  /** It has landed and has moved something else than it must. */
  readonly isMismatched: boolean;
};

/** The intent of a saga run, with what an operator's decision about it depends on. */
export type IntentOfRun = {
  readonly intent: IntentOf<SagaIntentKind>;
  readonly contract: Contract;
  /** Undefined while it is open. */
  readonly replies: readonly Envelope[] | undefined;
  /** Its transactions that have landed, and those whose end is unknown. */
  readonly transactions: readonly TransactionOfRun[];
  readonly resolution: Resolution | undefined;
};

/** An open payout, with the number of its transactions that have landed or may still land. */
export type OpenPayout = { readonly payload: unknown; readonly liveTransactions: number };

export type Resolutions = {
  readonly findOpenPayout: (withdrawalId: WithdrawalId, marketplaceId: MarketplaceId) => Promise<OpenPayout | undefined>;
  readonly find: (sagaRunId: SagaRunId) => Promise<IntentOfRun | undefined>;
  /** Locks intent and contract of the run; what `work` writes is committed with its result. */
  readonly onLocked: <T>(sagaRunId: SagaRunId, work: (tx: Tx, run: IntentOfRun) => Promise<T>) => Promise<T>;
  readonly save: (tx: Tx, resolution: Resolution) => Promise<void>;
  /** Takes the lease from the worker that holds it, so that its later writes are refused. */
  readonly takeLease: (tx: Tx, intent: Intent) => Promise<Pick<Intent, 'leaseToken'>>;
  /** Ends the forgotten transactions of an intent: as landed if it is this one, else as never landed. */
  readonly endForgotten: (tx: Tx, intent: Intent, landedHash: string | null) => Promise<void>;
  /** Adds a reply to a closed intent, so that it is published again when the command is resent. */
  readonly addReply: (tx: Tx, intent: Intent, reply: Envelope) => Promise<void>;
};

export type ResolutionDeps = Deps & {
  readonly resolutions: Resolutions;
  /** Runs of orders above it need a second person to be resolved. Undefined: none does. */
  readonly approvalAmount: string | undefined;
  /** A younger run may still end by itself, unless it is known to be past its point of no return. */
  readonly resolvableAfterMs: number;
};

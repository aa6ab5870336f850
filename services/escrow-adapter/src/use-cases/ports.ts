import type { Clock, Instant, Log } from '@holdfast/kernel/context';
import type { Envelope, MessageDeclaration, Payload } from '@holdfast/contracts/messages';
import type { EscrowId, Id, MarketplaceId, MessageId, NewId, SagaRunId } from '@holdfast/kernel/ids';
import type { Tx } from '@holdfast/postgres';
import type { KnownUsers } from '@holdfast/service-host/known-users';
import type { Addresses, Contract, ContractType } from '../domain/contract.js';
import type { ContractMove } from '../domain/contract-states.js';
import type { ContractState } from '../domain/contract-state.js';
import type { Step } from '../domain/steps.js';
import type { IntentReplies, LeaseHandle, Intent, IntentLease, WorkerState, NewIntent } from '../intents/index.js';
import type { LedgerNetwork, Role, SignedOperation, Wallets, WalletsModule } from '../wallets/ports.js';

/** Kinds of intents, and which go first: what pays out, then what is half done, then what is new. */
export const intentKinds = { settle: 0, fund: 1, deploy: 2 } as const;
export type IntentKind = keyof typeof intentKinds;

/** What is asked of the provider beyond its own state: how urgent it is, and when to give up. */
export type CallOptions = { readonly priority: number; readonly signal?: AbortSignal };

/** A contract as the provider shows it, as far as it can be ours. */
export type ContractAtProvider = {
  readonly contractId: string;
  readonly engagementId: string;
  readonly type: ContractType;
  readonly signer: string | undefined;
  readonly state: ContractState;
};

export type StepAddresses = Addresses & { readonly payer?: string };

/** What the provider says to a submission. Whatever is not a clear success may still have happened. */
export type ProviderSubmission =
  | { readonly status: 'landed'; readonly contractId: string | undefined }
  | { readonly status: 'unknown'; readonly reason: string };

/**
 * The escrow provider. Building and reading throw ProviderRefused for a refusal that was meant, and SERVICE_UNAVAILABLE or
 * PROVIDER_TIMEOUT for whatever passes; building changes nothing. `submit` never throws.
 */
export type EscrowProvider = {
  readonly buildDeployment: (contract: Contract, addresses: Addresses, options: CallOptions) => Promise<string>;
  readonly buildStep: (contract: StepContract, step: Step, options: CallOptions) => Promise<string>;
  readonly submit: (signedXdr: string, options: CallOptions) => Promise<ProviderSubmission>;
  /** Those of the contracts that the provider knows. */
  readonly read: (contractIds: readonly string[], options: CallOptions) => Promise<readonly ContractAtProvider[]>;
  /** Contracts that a signer deployed for an engagement, newest first. */
  readonly findDeployed: (
    search: { readonly signer: string; readonly engagementId: string },
    options: CallOptions,
  ) => Promise<readonly ContractAtProvider[]>;
};

export type StepContract = { readonly contractId: string; readonly type: ContractType; readonly addresses: StepAddresses };

/** One transaction that an intent needs. */
export type TransactionRequest = {
  /** Names it within its intent. */
  readonly step: string;
  /** What the provider is asked to build, in words that tell two different requests apart. */
  readonly requestText: string;
  readonly operation: SignedOperation;
  /** Who may sign it, in the order of preference where any of them will do. */
  readonly signers: readonly Signer[];
  readonly build: (signer: Signer) => Promise<string>;
};

export type Signer = { readonly role: Role; readonly address: string };

export type OwnTransaction = {
  readonly hash: string;
  readonly step: string;
  readonly sourceAccount: string;
};

/** A transaction that may land: everything that is needed to submit it again and to know when it cannot any more. */
export type OpenTransaction = OwnTransaction & {
  readonly sequence: bigint;
  readonly envelope: string;
  readonly validUntil: Instant;
};

export type NewTransaction = OpenTransaction & {
  /** Null where no intent led to it. */
  readonly intentId: MessageId | null;
  readonly requestHash: string;
};

/** LANDED and FAILED are on the network, DEAD can never be. */
export type EndState = 'LANDED' | 'FAILED' | 'DEAD';

export type EndedTransaction = { readonly hash: string; readonly state: EndState };

/** What became of a transaction. */
export type TransactionResult =
  | { readonly status: 'landed'; readonly transaction: OwnTransaction; readonly source: LandingSource }
  /** `failed` is on the network without an effect; `never` is not there and cannot come there any more. */
  | { readonly status: 'failed' | 'never'; readonly transaction: OwnTransaction; readonly reason: string }
  /** It may be there, or come there until its time bounds have passed. */
  | { readonly status: 'unknown'; readonly transaction: OwnTransaction }
  /** Nothing was submitted: the provider would not build it, or could not. */
  | { readonly status: 'unbuilt'; readonly isRefusal: boolean; readonly reason: string };

/** Only the provider knows which contract a deployment made, and even the provider may not say. */
export type LandingSource = { readonly by: 'network' } | { readonly by: 'provider'; readonly contractId: string | undefined };

/** The transactions of one run on one intent. */
export type TransactionSession = {
  /**
   * Looks into those that earlier runs have left open, and submits them again, unchanged. Says of all that have landed for
   * the intent that they have, in order.
   */
  readonly resume: () => Promise<readonly TransactionResult[]>;
  /** Builds, signs, stores and submits one, and looks into what became of it. What ended before is recorded in the same commit. */
  readonly execute: (request: TransactionRequest) => Promise<TransactionResult>;
  /** Writes down what has ended so far, with the commit of the change that follows from it. */
  readonly record: (unit: UnitOfWork) => void;
  /** Writes down the rest, and gives the source accounts back. */
  readonly end: () => Promise<void>;
};

export type Transactions = {
  readonly session: (intent: Intent, signal: AbortSignal) => TransactionSession;
};

export type ContractChange = {
  readonly move?: ContractMove;
  readonly addresses?: Addresses;
  readonly contractId?: string;
  readonly isDisputeKnown?: boolean;
  readonly milestonesKnown?: readonly number[];
};

export type Contracts = {
  readonly find: (escrowId: EscrowId) => Promise<Contract | undefined>;
  readonly lock: (tx: Tx, escrowId: EscrowId) => Promise<Contract>;
  /** Writes a contract that the transaction has locked, as its next version. */
  readonly change: (tx: Tx, contract: Contract, change: ContractChange) => Contract;
  /** The version of the next message about the escrow; the row is locked. */
  readonly nextVersion: (tx: Tx, escrowId: EscrowId) => Promise<number>;
  /** Funded ones that were not looked at for longest; from now on they were. */
  readonly claimUnchecked: (checkedBefore: Instant, countMax: number) => Promise<readonly Contract[]>;
};

export type ProviderEvent = {
  readonly id: Id<'whe'>;
  readonly eventId: string;
  readonly type: string;
  readonly contractId: string;
  readonly orderId?: string;
  readonly transactionHash?: string;
  readonly milestoneRef?: string;
  readonly isSigned: boolean;
  readonly receivedAt: Instant;
};

/**
 * An event that is kept, and what our own tables say of it. Most are about something of ours that is under way or was our own
 * doing: those are done as soon as they are kept, and may wake an intent. Of the others the outside world must be asked.
 */
export type StoredEvent = {
  readonly event: ProviderEvent;
  /** Looks that came to nothing so far. */
  readonly attempts: number;
} & (
  { readonly isDone: true; readonly intentId: MessageId | undefined } | { readonly isDone: false; readonly escrowId: EscrowId }
);

export type ProviderEvents = {
  /**
   * Stored together with those that come at the same time. Undefined where it was stored before; one without a signature does
   * not stand in the way of the same one with it.
   */
  readonly store: (event: ProviderEvent) => Promise<StoredEvent | undefined>;
  readonly finish: (event: ProviderEvent, result: string) => Promise<void>;
  readonly postpone: (event: ProviderEvent, reason: string) => Promise<void>;
  /** Due ones, given to this process for a while. */
  readonly claimDue: (countMax: number) => Promise<readonly StoredEvent[]>;
  /** Contract ids that events named for an order's creation. */
  readonly contractIdsFor: (orderId: string) => Promise<readonly string[]>;
};

/** An intent whose subject is yet to be named. */
type IntentWithoutSubject = Omit<NewIntent, 'subject'>;

/** Each stores what a message asks for, together with its row in the inbox, and sets a worker on it. False where it was stored before. */
export type IntentRequests = {
  readonly deploy: (intent: IntentWithoutSubject, contract: Contract) => Promise<boolean>;
  readonly fund: (intent: IntentWithoutSubject, orderId: string) => Promise<boolean>;
  readonly settle: (intent: IntentWithoutSubject, escrowId: EscrowId) => Promise<boolean>;
};

/** One transaction that writes about several intents. What is said here is written right before its commit. */
export type UnitOfWork = {
  /** For locks, for the outbox, and for what happens after the commit. */
  readonly tx: Tx;
  /** With the leases of the source accounts that are given back. */
  readonly endTransactions: (intent: IntentLease, ended: readonly EndedTransaction[], accounts: readonly LeaseHandle[]) => void;
  /** A contract that the transaction has locked, as its next version. */
  readonly changeContract: (contract: Contract, change: ContractChange) => Contract;
  /** An intent whose lease is held. */
  readonly closeIntent: (intent: IntentLease, replies: readonly Envelope[]) => void;
};

/** What is to be written about one intent; nothing is once another process has taken it over. */
export type IntentWrite = {
  readonly intent: IntentLease;
  /** Is given the contract that the intent acts on, locked. May be called again from the start, and has no effect but what it writes. */
  readonly write: (unit: UnitOfWork, contract: Contract) => void | Promise<void>;
  /** Whether an earlier commit of this very write, whose outcome nobody knows, has happened. */
  readonly isCommitted: (tx: Tx) => Promise<boolean>;
};

export type NewEscrowMessage<M extends MessageDeclaration = MessageDeclaration> = {
  readonly declaration: M;
  readonly payload: Payload<M>;
  /** Where it does not follow from the saga run. */
  readonly id?: MessageId;
  /** Where the change that is told of has counted it. */
  readonly version?: number;
  readonly marketplaceId: MarketplaceId;
  readonly escrowId: EscrowId;
  readonly correlationId: string;
  readonly causationId?: MessageId;
  readonly afterEventId?: MessageId;
  readonly saga?: string;
  readonly sagaRunId?: SagaRunId;
};

export type Deps = {
  readonly inTransaction: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;
  /**
   * Writes about an intent, in a commit that is shared with what is written about others at the same time. LeaseLost where its lease
   * was lost.
   */
  readonly commit: (write: IntentWrite) => Promise<void>;
  readonly intentRequests: IntentRequests;
  /** Tells a fact about an escrow, as the next version of it. */
  readonly publish: <M extends MessageDeclaration>(tx: Tx, message: NewEscrowMessage<M>) => Promise<Envelope>;
  readonly republish: (tx: Tx, envelopes: readonly Envelope[]) => Promise<void>;
  readonly intents: {
    readonly wake: (intentId: string) => void;
    readonly saveWorkerState: (tx: Tx, intent: Intent, memo: WorkerState) => Promise<void>;
    /** Whether the holder of this lease has closed the intent. */
    readonly isClosedBy: (tx: Tx, lease: IntentLease) => Promise<boolean>;
    readonly findReplies: (tx: Tx, id: MessageId) => Promise<IntentReplies | undefined>;
    readonly findOpen: (subject: string, tx?: Tx) => Promise<MessageId | undefined>;
  };
  readonly transactions: Transactions;
  readonly contracts: Contracts;
  readonly events: ProviderEvents;
  readonly provider: EscrowProvider;
  readonly wallets: Wallets;
  readonly network: LedgerNetwork;
  readonly users: Pick<KnownUsers, 'handleUserChanged' | 'knownVersion'>;
  /** A hint, after a user was heard of. */
  readonly prepareWallet: WalletsModule['prepareWallet'];
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Log;
  /** How long a deployment without a contract id is waited for. */
  readonly unconfirmedMsMax: number;
};

/** The provider said no, and meant it. */
export class ProviderRefused extends Error {
  constructor(message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.name = 'ProviderRefused';
  }
}

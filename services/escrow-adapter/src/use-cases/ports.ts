import type { Clock, Instant, Log } from '@holdfast/kernel/context';
import type { Envelope, MessageDeclaration, Payload } from '@holdfast/contracts/messages';
import type { EscrowId, MarketplaceId, MessageId, NewId, SagaRunId, WithdrawalId } from '@holdfast/kernel/ids';
import type { Abort } from '@holdfast/sagas/runs';
import type { Tx } from '@holdfast/postgres';
import type { KnownUsers } from '@holdfast/service-kit/known-users';
import type { Addresses, Contract, ContractType, DeployedContract } from '../domain/contract.js';
import type { ContractMove, ContractStatus } from '../domain/contract-states.js';
import type { LedgerTransfer } from '../domain/ledger-transfer.js';
import type { SettlementStep, Step } from '../domain/steps.js';
import type { EmergencyStop } from '@holdfast/intents/provider-controls';
import type { LeaseHandle } from '@holdfast/intents/leases';
import type { Intent, IntentLease, NewIntent, RequestedIntent, StoreIntentOnce, WorkerState } from '@holdfast/intents';
import type { Currency, CustodyAsset } from '@holdfast/kernel/money';
import type { Expectation } from '../signing/expectation.js';
import type { Mismatch } from '../signing/mismatch.js';
import type { LedgerNetwork, LedgerPayments, Role, Wallets, WalletsModule } from '../wallets/ports.js';
import type { ProviderEvents } from './event-ports.js';
import type { IntentDeadlines } from './intent-deadlines.js';
import type { LedgerRpc, LifetimeChange, StoredTransaction } from './network-ports.js';
import type { EscrowProvider } from './provider-ports.js';
import type { UnsignedChecks } from './unsigned-checks.js';

/** Kinds of intents with their priority, lower first: what pays users, then fundings, then deployments. */
export const intentKinds = { settle: 0, payout: 0, fund: 1, deploy: 2 } as const;
export type IntentKind = keyof typeof intentKinds;

export * from './provider-ports.js';

export type TransactionRequest = {
  /** Unique within the intent. */
  readonly step: string;
  /** Identifies the provider request; its hash is stored with the transaction. */
  readonly requestText: string;
  /** Accounts that may sign; the session leases one of them. */
  readonly signers: readonly Signer[];
  readonly build: (signer: Signer) => Promise<string>;
  /** The one transaction that may be signed. */
  readonly expect: (signer: Signer) => Expectation;
  /** What a signer of the treasury spends. */
  readonly spends?: Spent;
};

export type Spent = { readonly asset: CustodyAsset; readonly units: bigint };

export type Signer = { readonly role: Role; readonly address: string };

/** A transaction with what is needed to submit it again and to detect how it ended. */
export type OpenTransaction = StoredTransaction & {
  /** What it must move once it has landed. Null for payments, which say themselves what they move. */
  readonly transfers: readonly LedgerTransfer[] | null;
};

export type NewTransaction = OpenTransaction & {
  /** Null for transactions of the treasury, which belong to no intent. */
  readonly intentId: MessageId | null;
  readonly requestHash: string;
};

/**
 * LANDED and FAILED transactions are on the network; a DEAD one is not and cannot land any more. A MISMATCHED one has moved something
 * else than it must.
 */
export type EndState = 'LANDED' | 'FAILED' | 'DEAD' | 'MISMATCHED';

/** `ledger` contains the transaction; null for a DEAD one. */
export type EndedTransaction = { readonly hash: string; readonly state: EndState; readonly ledger: number | null };

export type TransactionResult =
  | { readonly status: 'landed'; readonly transaction: OpenTransaction; readonly ledger: number }
  /** On the network without an effect. */
  | { readonly status: 'failed'; readonly transaction: OpenTransaction; readonly ledger: number; readonly reason: string }
  /** Not on the network, and it cannot land any more: its time bounds have passed, or its sequence number was used. */
  | {
      readonly status: 'expired';
      readonly transaction: OpenTransaction;
      readonly reason: string;
      /** Its fee was too low for the network, or too high for the treasury. */
      readonly isFeeTheReason: boolean;
    }
  /** On the network, but it has moved something else than it must. It is never booked: a person must look. */
  | { readonly status: 'mismatched'; readonly transaction: OpenTransaction; readonly ledger: number; readonly reason: string }
  /** It may have landed, or may land until its time bounds have passed. */
  | { readonly status: 'unknown'; readonly transaction: OpenTransaction }
  /** Nothing was submitted: the provider refused to build the transaction, or could not be reached. */
  | { readonly status: 'not-built'; readonly isRefusal: boolean; readonly reason: string }
  /** The built transaction is not the requested one. Nothing was signed. */
  | RefusedTransaction;

export type RefusedTransaction = { readonly status: 'refused'; readonly step: string; readonly mismatch: Mismatch };

/** What may be signed for a contract, and what follows from it. */
export type ContractExpectations = {
  readonly deployment: (contract: Contract, addresses: Addresses) => Expectation;
  /** `payer` signs a funding; all other steps have their own signer. */
  readonly step: (contract: DeployedContract, step: Step, payer?: string) => Expectation;
  /** What a settlement step must move. */
  readonly transfers: (contract: DeployedContract, step: SettlementStep) => readonly LedgerTransfer[];
  /** The hash of the code of these contracts, in hex. */
  readonly wasmHashOf: (type: ContractType) => string;
  /** The contract of the token in which the currency is escrowed. */
  readonly tokenOf: (currency: Currency) => string;
  /** The address of the contract that a signed deployment creates. */
  readonly deployedContractId: (deployment: Pick<OpenTransaction, 'envelope'>) => string;
};

/** The transactions of one run of an intent. */
export type TransactionSession = {
  /**
   * Looks up the transactions that earlier runs have left open and submits them again, unchanged. The result includes every
   * transaction that has landed for the intent, in order.
   */
  readonly resume: () => Promise<readonly TransactionResult[]>;
  /** Builds, signs, stores and submits a transaction, and looks up its result. The same commit records ended transactions. */
  readonly execute: (request: TransactionRequest) => Promise<TransactionResult>;
  /** Records ended transactions in the commit of `unit`. */
  readonly record: (unit: UnitOfWork) => void;
  /** Records the other ended transactions and releases the leases of the source accounts. */
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

/** A deployed contract of an order. */
export type DeployedRef = {
  readonly orderId: string;
  readonly contractId: string;
  readonly type: ContractType;
  readonly currency: Currency;
  readonly status: ContractStatus;
};

export type RequestedContract = Omit<Contract, 'addresses' | 'contractId'> & {
  readonly addresses: Omit<Addresses, 'platform'>;
};

export type Contracts = {
  /** The deployed contracts of these orders. */
  readonly findDeployed: (orderIds: readonly string[]) => Promise<readonly DeployedRef[]>;
  readonly find: (escrowId: EscrowId) => Promise<Contract | undefined>;
  readonly findByContractId: (contractId: string) => Promise<EscrowId | undefined>;
  /** The order's request, while it has no contract, with the wallets of its parties. */
  readonly findRequested: (orderId: string) => Promise<RequestedContract | undefined>;
  /** Stores that the request has this contract. False where it has another one by now. */
  readonly adopt: (contract: DeployedContract) => Promise<boolean>;
  readonly lock: (tx: Tx, escrowId: EscrowId) => Promise<Contract>;
  /** Writes the next version of a contract that the transaction has locked. */
  readonly change: (tx: Tx, contract: Contract, change: ContractChange) => Contract;
  /** Increments and returns the version for the next message about the escrow; the row stays locked. */
  readonly nextVersion: (tx: Tx, escrowId: EscrowId) => Promise<number>;
  /** Stores the published message about a payout that was made outside this platform. The contract must be SETTLED by then. */
  readonly saveExternalPayout: (tx: Tx, escrowId: EscrowId, payout: Envelope) => void;
  readonly findExternalPayout: (tx: Tx, escrowId: EscrowId) => Promise<Envelope | undefined>;
  /** Returns the least recently checked funded contracts and marks them as checked. */
  readonly claimUnchecked: (checkedBefore: Instant, countMax: number) => Promise<readonly Contract[]>;
};

/**
 * Stores the intent that a message requests, with its inbox row, and starts it. The statement finds its subject, the contract. False
 * where it was stored before.
 */
export type IntentRequests = {
  readonly deploy: (intent: RequestedIntent, contract: Contract) => Promise<boolean>;
  readonly fund: (intent: RequestedIntent, orderId: string) => Promise<boolean>;
  readonly settle: (intent: RequestedIntent, escrowId: EscrowId) => Promise<boolean>;
};

/** One transaction with the writes of several intents. They are collected and written right before its commit. */
export type UnitOfWork = {
  /** For locks, the outbox and `afterCommit`. */
  readonly tx: Tx;
  /** Also releases the leases of these source accounts. */
  readonly endTransactions: (intent: IntentLease, ended: readonly EndedTransaction[], accounts: readonly LeaseHandle[]) => void;
  /** Returns the next version of a contract that the transaction has locked. */
  readonly changeContract: (contract: Contract, change: ContractChange) => Contract;
  /** The lease of the intent must be held. */
  readonly closeIntent: (intent: IntentLease, replies: readonly Envelope[]) => void;
};

/** A write about one intent. It is dropped with LeaseLost once another process has claimed the intent. */
export type IntentWrite = {
  readonly intent: IntentLease;
  /** Gets the locked contract that the intent acts on. It may be called again, so it must have no side effect beyond its writes. */
  readonly write: (unit: UnitOfWork, contract: Contract) => void | Promise<void>;
  /** Whether an earlier commit of this write whose outcome is unknown was committed. */
  readonly isCommitted: (tx: Tx) => Promise<boolean>;
};

export type NewEscrowMessage<M extends MessageDeclaration = MessageDeclaration> = {
  readonly declaration: M;
  readonly payload: Payload<M>;
  /** Given where a repeat must have the same id. */
  readonly id?: MessageId;
  /** Given where the contract change has already counted the message. */
  readonly version?: number;
  readonly marketplaceId: MarketplaceId;
  readonly escrowId: EscrowId;
  readonly correlationId: string;
  readonly causationId?: MessageId | undefined;
  readonly afterEventId?: MessageId | undefined;
  readonly saga?: string;
  readonly sagaRunId?: SagaRunId;
};

type NewPayoutReply<M extends MessageDeclaration = MessageDeclaration> = Omit<NewEscrowMessage<M>, 'escrowId' | 'version'> & {
  readonly withdrawalId: WithdrawalId;
};

/** What the payouts of withdrawals need besides the rest of `Deps`. */
type PayoutDeps = {
  readonly payments: LedgerPayments;
  /** Stores the intent of a payout. False where it was stored before. */
  readonly addPayout: (intent: NewIntent) => Promise<boolean>;
  /** Closes the intent of a payout in one commit with what `write` records and the reply that it returns. */
  readonly closePayout: (intent: IntentLease, write: (unit: UnitOfWork) => Envelope) => Promise<void>;
  /** Publishes the reply to a payout. */
  readonly publishPayoutReply: <M extends MessageDeclaration>(tx: Tx, message: NewPayoutReply<M>) => Envelope;
};

export type Deps = PayoutDeps & {
  readonly inTransaction: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;
  /** Commits the writes of an intent, batched with those of other intents. Throws LeaseLost if its lease was lost. */
  readonly commit: (write: IntentWrite) => Promise<void>;
  readonly storeIntentOnce: StoreIntentOnce<IntentKind>;
  readonly intentRequests: IntentRequests;
  readonly deadlines: IntentDeadlines;
  /** Publishes a message about an escrow, with the next version of the aggregate. */
  readonly publish: <M extends MessageDeclaration>(tx: Tx, message: NewEscrowMessage<M>) => Promise<Envelope>;
  /** Publishes messages again that were published before. */
  readonly republish: (tx: Tx, envelopes: readonly Envelope[]) => Promise<void>;
  readonly intents: {
    readonly wake: (intentId: string) => void;
    readonly saveWorkerState: (tx: Tx, intent: Intent, workerState: WorkerState) => Promise<void>;
    /** Whether the holder of this lease has closed the intent. */
    readonly isClosedBy: (tx: Tx, lease: IntentLease) => Promise<boolean>;
    /** Whether an intent of the saga run was stored, open or closed. */
    readonly existsForRun: (tx: Tx, sagaRunId: SagaRunId) => Promise<boolean>;
    readonly findOpen: (subject: string, tx?: Tx) => Promise<MessageId | undefined>;
    /** Stores values for the next run of the open intent, which is due from now on. Undefined where none is open. */
    readonly requestOfOpen: (
      tx: Tx,
      of: Pick<Intent, 'subject' | 'marketplaceId'>,
      workerState: WorkerState,
    ) => Promise<MessageId | undefined>;
  };
  readonly aborts: {
    /** Aborts a saga run unless its intent is stored. A repeated abort publishes its reply again. Returns whether it is aborted. */
    readonly abort: (tx: Tx, abort: Omit<Abort, 'consumer'>) => Promise<boolean>;
  };
  readonly transactions: Transactions;
  readonly expectations: ContractExpectations;
  /** Counts a transaction that was not signed, because it is not the requested one. */
  readonly onSigningRefused: (step: string) => void;
  readonly contracts: Contracts;
  readonly events: ProviderEvents;
  readonly unsignedChecks: UnsignedChecks;
  /** Counts a signed event that was stored and ignored. */
  readonly onEventIgnored: () => void;
  readonly provider: EscrowProvider;
  readonly rpc: LedgerRpc;
  readonly usdcIssuer: string;
  readonly wallets: Wallets;
  readonly changeLifetimes: WalletsModule['changeLifetimes'];
  /** Counts contracts whose entries were extended or restored. */
  readonly onLifetimesChanged: (does: LifetimeChange['does'], contracts: number) => void;
  readonly network: LedgerNetwork;
  readonly users: Pick<KnownUsers, 'handleUserChanged' | 'knownVersion'>;
  readonly emergencyStop: Pick<EmergencyStop, 'handleChanged'>;
  readonly prepareWallet: WalletsModule['prepareWallet'];
  readonly handleCaseResolved: WalletsModule['handleCaseResolved'];
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Log;
};

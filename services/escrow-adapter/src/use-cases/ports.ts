import type { EscrowProviderEvent } from '@holdfast/contracts/http';
import type { Clock, Context, Instant, Log } from '@holdfast/kernel/context';
import type { caseResolved, Envelope, MessageDeclaration, Payload } from '@holdfast/contracts/messages';
import type {
  createEscrowSaga,
  DeclaredBy,
  fundSaga,
  ledgerPayoutSaga,
  refundMilestoneSaga,
  refundSaga,
  releaseMilestoneSaga,
  releaseSaga,
  resolveDisputeSaga,
  resolveMilestoneDisputeSaga,
} from '@holdfast/contracts/sagas';
import type { EscrowId, MarketplaceId, MessageId, NewId, OrderId, SagaRunId, WithdrawalId } from '@holdfast/kernel/ids';
import type { Tx } from '@holdfast/postgres';
import type { KnownUsers } from '@holdfast/service-kit/known-users';
import type { EventContext, FinalOutcome, Receipt, ReceivedEvent, WebhookInbox } from '@holdfast/webhook-inbox';
import type { Addresses, Contract, ContractType, DeployedContract } from '../domain/contract.js';
import type { ContractChange } from '../domain/contract-change.js';
import type { ContractStatus } from '../domain/contract-states.js';
import type { LedgerTransfer } from '@holdfast/ledger-network/values';
import type { SettlementStep, Step } from '../domain/steps.js';
import type { EmergencyStop } from '@holdfast/intents/provider-controls';
import type {
  AbortRun,
  ClosedIntent,
  Intent,
  IntentLease,
  IntentStore,
  IntentSubject,
  NewIntent,
  StoreIntentOnce,
} from '@holdfast/intents';
import type { Currency } from '@holdfast/kernel/money';
import type { Expectation } from '@holdfast/ledger-network/expectations';
import type { SubmittedTransaction, Transactions } from '@holdfast/ledger-network/submission';
import type { LedgerNetwork } from '@holdfast/ledger-network/horizon';
import type { LedgerPayments } from '@holdfast/ledger-network/building';
import type { WalletOwner, Wallets } from './wallets/ports.js';
import type { IntentDeadlines } from './intent-deadlines.js';
import type { ContractRpc } from './entry-ports.js';
import type { LifetimeChange } from '@holdfast/ledger-network/rpc';
import type { EscrowProvider } from './provider-ports.js';
import type { TreasurySubmitter } from './treasury/ports.js';
import type { UnsignedChecks } from './unsigned-checks.js';

/** Kinds of intents with their priority, lower first: what pays users, then fundings, then deployments, then what operators request. */
export const intentKinds = { settle: 0, payout: 0, fund: 1, deploy: 2, 'withdraw-remaining': 3 } as const;
export type IntentKind = keyof typeof intentKinds;

/** The sagas that pay out a contract or one of its milestones. */
type SettlementSagas =
  | typeof releaseSaga
  | typeof refundSaga
  | typeof resolveDisputeSaga
  | typeof releaseMilestoneSaga
  | typeof refundMilestoneSaga
  | typeof resolveMilestoneDisputeSaga;

/** The saga steps whose messages store the intents of each kind. */
type IntentSteps = {
  readonly deploy: typeof createEscrowSaga.steps.deploy;
  readonly fund: typeof fundSaga.steps.fund;
  readonly settle: SettlementSagas['steps']['settle'];
  readonly payout: typeof ledgerPayoutSaga.steps.pay;
};

/** The kinds of intents that a step of a saga stores. */
export type SagaIntentKind = keyof IntentSteps;

/** The types of the messages with which an intent of this kind may reply: those that its step declares. */
export type IntentReplyType<Kind extends SagaIntentKind> = DeclaredBy<IntentSteps[Kind]>['type'];

export type IntentOf<Kind extends IntentKind> = Intent & { readonly kind: Kind };

export type * from './provider-ports.js';

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
  readonly deployedContractId: (deployment: Pick<SubmittedTransaction, 'decoded'>) => string;
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
  /** The latest contract of the order that has not failed, in any marketplace: for operators. */
  readonly findOfOrder: (orderId: OrderId) => Promise<Contract | undefined>;
  readonly lock: (tx: Tx, escrowId: EscrowId) => Promise<Contract>;
  /** Writes the next version of a contract that the transaction has locked. */
  readonly change: (tx: Tx, contract: Contract, change: ContractChange, messageCount?: number) => Contract;
  /** Increments and returns the version for the next message about the escrow; the row stays locked. */
  readonly nextVersion: (tx: Tx, escrowId: EscrowId) => Promise<number>;
  /** Stores the published message about a payout that was made outside this platform. The contract must be SETTLED by then. */
  readonly saveExternalPayout: (tx: Tx, escrowId: EscrowId, payout: Envelope) => void;
  readonly findExternalPayout: (tx: Tx, escrowId: EscrowId) => Promise<Envelope | undefined>;
  /** Stores what was published about a milestone that was paid out outside this platform. */
  readonly saveMilestonePayout: (tx: Tx, escrowId: EscrowId, index: number, published: readonly Envelope[]) => void;
  readonly findMilestonePayout: (tx: Tx, escrowId: EscrowId, index: number) => Promise<readonly Envelope[] | undefined>;
  /** Returns the least recently checked funded contracts and marks them as checked. */
  readonly claimUnchecked: (checkedBefore: Instant, countMax: number) => Promise<readonly Contract[]>;
};

export type NewEscrowMessage<M extends MessageDeclaration = MessageDeclaration> = {
  readonly declaration: M;
  readonly payload: Payload<M>;
  /** Given where a repeat must have the same id. */
  readonly id?: MessageId;
  /** Whether it may have been published before with the same id. */
  readonly isRepeated?: boolean;
  /** Given where the contract change has already counted the message. */
  readonly version?: number;
  readonly marketplaceId: MarketplaceId;
  readonly escrowId: EscrowId;
  /** Given for an event about the order, such as those about its milestones. By default the message is about the escrow. */
  readonly orderId?: OrderId;
  readonly correlationId: string;
  readonly causationId?: MessageId | undefined;
  readonly afterEventId?: MessageId | undefined;
  readonly saga?: string;
  readonly sagaRunId?: SagaRunId;
};

type NewPayoutReply<M extends MessageDeclaration = MessageDeclaration> = Omit<
  NewEscrowMessage<M>,
  'escrowId' | 'orderId' | 'version'
> & {
  readonly withdrawalId: WithdrawalId;
};

/** What the payouts of withdrawals need besides the rest of `Deps`. */
type PayoutDeps = {
  readonly payments: LedgerPayments;
  /** Publishes the reply to a payout. */
  readonly publishPayoutReply: <M extends MessageDeclaration>(tx: Tx, message: NewPayoutReply<M>) => Envelope;
};

/** What a provider event is about by our own tables: its contract, and the open intent of the contract. */
export type EventSubject = {
  readonly escrowId: EscrowId | undefined;
  readonly intentId: MessageId | undefined;
  /** The outcome of the event if our own tables say it; undefined if it needs a check on the network. */
  readonly known: FinalOutcome | undefined;
};

export type EventData = EscrowProviderEvent['data'];

export type EventSubjects = {
  /** The open intent of our own transaction that the event names. Undefined if it names none of our own. */
  readonly findOwn: (data: EventData) => Promise<Pick<EventSubject, 'intentId'> | undefined>;
  readonly find: (data: EventData) => Promise<EventSubject>;
  /** Stores the event and finds its subject, in one statement. */
  readonly receive: (
    inbox: WebhookInbox,
    event: ReceivedEvent,
    data: EventData,
    ctx: EventContext,
  ) => Promise<{ readonly receipt: Receipt; readonly subject: EventSubject }>;
};

/** What the intents of messages act on. The run that follows need not read the contract again. */
export type IntentSubjects = {
  /** A contract that is stored with its intent. */
  readonly requested: (contract: Contract) => IntentSubject<Contract>;
  /** The latest contract of the order that has not failed. */
  readonly ofOrder: (orderId: string) => IntentSubject<Contract>;
  /** A contract that is paid out as a whole. */
  readonly whole: (escrowId: EscrowId) => IntentSubject<Contract>;
  /** A milestone of a contract that is paid milestone by milestone, or all that are left of it; unless an open intent acts on it, too. */
  readonly milestones: (escrowId: EscrowId, ref: string | undefined) => IntentSubject<Contract>;
  readonly payout: (withdrawalId: WithdrawalId) => IntentSubject;
};

/** The intents of this service. Most of them act on a contract. */
export type ContractIntents = Pick<
  IntentStore,
  'lock' | 'close' | 'saveWorkerState' | 'findOpen' | 'findOpenParts' | 'requestOfOpen'
> & {
  readonly wake: (intentId: string) => void;
  /** Locks the intent, then its contract. Throws LeaseLost. */
  readonly lockWithContract: (tx: Tx, intent: IntentLease) => Promise<Contract>;
  /** Closes the intent and changes its contract. Throws LeaseLost, and TransactionConflict if the contract is not as it was before. */
  readonly closeWithContract: (
    tx: Tx,
    intent: IntentLease,
    closed: ClosedIntent,
    contract: readonly [before: Contract, after: Contract],
  ) => Promise<void>;
};

export type Deps = PayoutDeps & {
  readonly inTransaction: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;
  readonly storeIntentOnce: StoreIntentOnce<IntentKind, Contract>;
  /** Stores an intent that no message requests. */
  readonly storeIntent: (tx: Tx, intent: NewIntent) => void;
  readonly deadlines: IntentDeadlines;
  /** Publishes a message about an escrow or its order, with the next version of the aggregate. */
  readonly publish: <M extends MessageDeclaration>(tx: Tx, message: NewEscrowMessage<M>) => Promise<Envelope>;
  /** Publishes messages again that were published before. */
  readonly republish: (tx: Tx, envelopes: readonly Envelope[]) => Promise<void>;
  readonly intents: ContractIntents;
  readonly intentSubjects: IntentSubjects;
  /** Aborts a saga run unless its intent is stored. A repeated abort publishes its reply again. Returns whether it is aborted. */
  readonly abortRun: AbortRun;
  readonly transactions: Transactions;
  readonly expectations: ContractExpectations;
  /** Counts a transaction that was not signed, because it is not the requested one. */
  readonly onSigningRefused: (step: string) => void;
  readonly contracts: Contracts;
  readonly inbox: WebhookInbox;
  readonly eventSubjects: EventSubjects;
  readonly unsignedChecks: UnsignedChecks;
  readonly provider: EscrowProvider;
  readonly rpc: ContractRpc;
  readonly wallets: Wallets;
  readonly changeLifetimes: TreasurySubmitter['changeLifetimes'];
  /** Counts contracts whose entries were extended or restored. */
  readonly onLifetimesChanged: (does: LifetimeChange['does'], contracts: number) => void;
  readonly network: LedgerNetwork;
  readonly users: Pick<KnownUsers, 'handleUserChanged' | 'knownVersion'>;
  readonly emergencyStop: Pick<EmergencyStop, 'handleChanged'>;
  /** Creates the user's wallet in the background, before it is needed. The job `make-missing-wallets` covers a failure. */
  readonly prepareWallet: (user: WalletOwner) => void;
  /** A wallet that a quarantined record names may be swept again. */
  readonly handleCaseResolved: (message: Envelope<Payload<typeof caseResolved>>, ctx: Context) => Promise<void>;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Log;
};

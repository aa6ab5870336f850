import type { AuditFact, MessageDeclaration, Payload } from '@holdfast/contracts/messages';
import type { DeclaredBy, DeclaredSaga } from '@holdfast/contracts/sagas';
import type { Instant } from '@holdfast/kernel/context';
import type { MarketplaceId, MessageId, NewId, SagaRunId } from '@holdfast/kernel/ids';
import type { Failure, SagaOutcome, NewSagaRun } from './saga-run.js';

/** The actor that caused a change: a credential, or the platform itself. */
export type Actor = { readonly type: string; readonly id: string };

/** The open saga run of an aggregate. Only one run at a time acts on it. */
export type ActiveRun<Saga extends string = string> = {
  readonly runId: SagaRunId;
  readonly saga: Saga;
  readonly actor: Actor;
  /** When its request was received. The ids of the run's messages begin with this time. */
  readonly startedAt: Instant;
  /** The run of the sequence of sagas that this one belongs to. */
  readonly partOf?: { readonly runId: SagaRunId } | null | undefined;
};

/** What every aggregate on which sagas act has in common. `Saga` are their names. */
export type Aggregate<Saga extends string = string> = {
  readonly id: string;
  readonly marketplaceId: MarketplaceId;
  readonly status: string;
  readonly activeRun: ActiveRun<Saga> | null;
  /** Counts the public events. */
  readonly version: number;
  /** The predecessor of the next event: the last event about the aggregate, or the event that caused its last change. */
  readonly lastEventId: MessageId | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
};

/** An event or command before it is published. Its aggregate and version follow from what it is published with. */
export type Event<Type extends string = string> = {
  readonly declaration: MessageDeclaration & { readonly type: Type };
  readonly payload: unknown;
};

type State = Readonly<Record<string, unknown>>;

/** An audit entry before it is published as audit.recorded. */
export type NewAuditEntry = {
  readonly action: string;
  readonly result?: 'FAILURE';
  readonly reason?: string | null;
  readonly before: State | null;
  readonly after: State | null;
  /** The type of the public event that the entry reports, if the same change publishes it. */
  readonly reports?: string | undefined;
};

/** A message before it gets its envelope, which the outbox adds. */
export type OutgoingMessage = {
  /** The outbox chooses an id if this one is absent. */
  readonly id?: MessageId | undefined;
  /** Whether the message may have been published before with the same id. */
  readonly isRepeated?: boolean | undefined;
  /** The outbox takes the current time if this one is absent. */
  readonly occurredAt?: Instant | undefined;
  readonly declaration: MessageDeclaration;
  readonly aggregateId: string;
  readonly aggregateVersion: number;
  readonly aggregatePart?: string;
  readonly marketplaceId: MarketplaceId;
  readonly correlationId: string;
  readonly causationId?: MessageId | undefined;
  readonly afterEventId?: MessageId | undefined;
  readonly saga?: string;
  readonly sagaRunId?: SagaRunId;
  readonly payload: unknown;
};

/** What the runtime needs of a service's unit of work. Its writes are committed together or not at all. */
export type SagaTx = {
  readonly publish: (message: OutgoingMessage) => void;
  readonly runs: {
    readonly start: (run: NewSagaRun) => void;
    readonly close: (runId: SagaRunId, outcome: SagaOutcome) => void;
  };
  readonly newId: NewId;
};

type SagaOf<A extends Aggregate> = NonNullable<A['activeRun']>['saga'];

type StepsOf<Saga extends string> = Extract<DeclaredSaga, { readonly name: Saga }>['steps'];

/** The messages that the first step of a saga declares. */
export type StartMessage<Saga extends string> = DeclaredBy<StepsOf<Saga>['start']>;

/** The types of the messages that request the abort of a run. Never for a saga without a deadline. */
type AbortType<Steps> = Steps extends { readonly requestAbort: infer Step } ? DeclaredBy<Step>['type'] : never;

/** The start of a saga: its name, and the command that is published after the events. */
export type Start<A extends Aggregate, Saga extends string = SagaOf<A>> = Saga extends string
  ? {
      readonly saga: Saga;
      /** A message that the first step of the saga declares; the aggregate's kind has its payload. */
      readonly command: StartMessage<Saga>;
      /** Given if the caller has to know it before the transaction. */
      readonly runId?: SagaRunId;
      /** The input of later steps, which is kept with the run. */
      readonly input?: Omit<NonNullable<A['activeRun']>, keyof Omit<ActiveRun, 'partOf'>>;
    }
  : never;

/** A change of an aggregate: its new state, its events of these types, the audit entries, and the saga that it starts. */
export type Change<A extends Aggregate, EventType extends string = string> = {
  readonly after: A;
  readonly events: readonly Event<EventType>[];
  readonly auditEntries: readonly NewAuditEntry[];
  readonly starts?: Start<A>;
};

/** The last change of a saga run. With a failure the waiting request gets this error. */
export type RunEnd<A extends Aggregate, EventType extends string = string> = Change<A, EventType> & {
  readonly failure?: Failure | undefined;
};

/** The command of a saga. It follows from the aggregate alone, so that resending it sends the same message. */
export type SagaCommand<A, M extends MessageDeclaration = MessageDeclaration> = {
  readonly declaration: M;
  /** Undefined while there is nothing to command. */
  readonly payloadOf: (aggregate: A) => Payload<M> | undefined;
};

type SagaCommands<A extends Aggregate> = { readonly [Saga in SagaOf<A>]: SagaCommand<A, StartMessage<Saga>> };

/** The resource of an audit entry and the resources that are related to it. */
export type AuditedResource = Pick<AuditFact, 'resourceType' | 'relatedIds'> & Partial<Pick<AuditFact, 'resourceId'>>;

/** The aggregate that a message is about, with its version. */
export type AggregateRef = Pick<OutgoingMessage, 'aggregateId' | 'aggregateVersion' | 'aggregatePart'>;

/** How a service stores a kind of aggregate, audits it, and which commands its sagas send. */
export type AggregateKind<A extends Aggregate, Tx extends SagaTx> = {
  readonly save: (tx: Tx, after: A, before: A) => void;
  readonly audited: (aggregate: A, entry: NewAuditEntry) => AuditedResource;
  /** Saga → its command, one that the first step of the saga declares. */
  readonly commands: SagaCommands<A>;
  /** The abort command of the active run, to the service of its point of no return. Undefined if the run cannot be aborted. */
  readonly abortOf?: (aggregate: A, commandId: MessageId) => Event<AbortType<StepsOf<SagaOf<A>>>> | undefined;
  /** For an aggregate with parts that have events of their own: the part of such an event with its version. */
  readonly partOf?: (aggregate: A, declaration: MessageDeclaration) => AggregateRef;
  readonly withNextVersion?: (aggregate: A, declaration: MessageDeclaration) => A;
  /** The state that a waiting request gets when a run succeeds. */
  readonly recordOf?: (aggregate: A) => unknown;
};

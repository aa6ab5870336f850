import type { MessageDeclaration } from '../messages/index.js';
import type { ServiceName } from '../services/index.js';

/** The operations of the escrow provider that a step may call. */
export const escrowOperations = ['deploy', 'fund', 'complete', 'approve', 'release', 'dispute', 'resolve'] as const;
/** The operations of the payment provider that a step may call. */
export const paymentOperations = ['create-payin', 'create-payout', 'commit'] as const;
export type ProviderOperation = (typeof escrowOperations)[number] | (typeof paymentOperations)[number];

/** A step: one service handles a message, or the request that starts the saga. */
export type SagaStep = {
  readonly by: ServiceName;
  /** Several messages are all awaited, in any order. Undefined for a step that handles a request or a payment on the ledger network. */
  readonly on?: MessageDeclaration | readonly MessageDeclaration[];
  /** The description in the documentation. */
  readonly does: string;
  /** Published on success, some only after certain decisions. Audit entries are listed for compensations only. */
  readonly publishes: readonly MessageDeclaration[];
  /** Published on success for the event log only: in this saga no service acts on them, although some do in other sagas. */
  readonly informs?: readonly MessageDeclaration[];
  /** Published on failure. */
  readonly orElse?: readonly MessageDeclaration[];
  /** The provider operations that the step calls if there was no external change; the fault matrix is generated from them. */
  readonly calls?: readonly ProviderOperation[];
  /** The earlier step that this one compensates. */
  readonly compensates?: string;
  /** Once this step has succeeded, no step is compensated any more. */
  readonly pointOfNoReturn?: true;
  /** The setting with the age at which a run is aborted that has not started this step. */
  readonly deadline?: 'SAGA_ABORT_AFTER_MS';
  /** Why the point of no return has no deadline. */
  readonly noDeadline?: string;
  /** The step whose deadline triggers this one. */
  readonly afterDeadlineOf?: string;
  /** The step that this one aborts: if it has not started, its message is refused from now on. */
  readonly aborts?: string;
  /** Ends the run with this outcome and resolves the waiting request. */
  readonly ends?: 'succeeded' | 'failed';
};

export type SagaSteps = Readonly<Record<string, SagaStep>>;

/** A business operation across services. It is a choreography without an orchestrator: steps only know their messages. */
export type Saga<Name extends string = string, Steps extends SagaSteps = SagaSteps> = {
  readonly name: Name;
  readonly summary: string;
  readonly steps: Steps;
};

/** Only other steps of the same saga can be compensated or aborted. */
type OtherSteps<Steps> = {
  readonly [Step in keyof Steps]: Readonly<
    Partial<Record<'compensates' | 'afterDeadlineOf' | 'aborts', Exclude<keyof Steps, Step>>>
  >;
};

/** Declares a saga once: services bind their handlers to it, and queues, docs and the fault matrix are computed from it. */
export function saga<const Name extends string, const Steps extends SagaSteps>(
  name: Name,
  summary: string,
  steps: Steps & OtherSteps<Steps>,
): Saga<Name, Steps> {
  return { name, summary, steps };
}

/** The messages that a step may publish, on success or on failure. */
export type DeclaredBy<Step> =
  | (Step extends { readonly publishes: readonly (infer Success extends MessageDeclaration)[] } ? Success : never)
  | (Step extends { readonly informs: readonly (infer Information extends MessageDeclaration)[] } ? Information : never)
  | (Step extends { readonly orElse: readonly (infer Failure extends MessageDeclaration)[] } ? Failure : never);

/**
 * The result of a handler: it has published only messages of these types, and audit entries. It is empty, because the messages
 * are in the outbox by then; `bind` compares the types with the step. Without an argument the handler publishes nothing.
 */
export type Published<Types extends string = never> = { readonly only?: Types };

/** The result of every handler. Its type comes from the function that published. */
export const published: Published = {};

/** The messages that a step awaits; none for a step that starts the saga. */
export function awaitedBy({ on = [] }: SagaStep): readonly MessageDeclaration[] {
  return 'type' in on ? [on] : on;
}

/** All messages that a step may publish. */
export function publishedBy({ publishes, informs = [], orElse = [] }: SagaStep): readonly MessageDeclaration[] {
  return [...publishes, ...informs, ...orElse];
}

const escrowOperationNames: ReadonlySet<string> = new Set(escrowOperations);

/** Whether a run of the saga has transactions signed. No such run starts while the platform is stopped. */
export function signsTransactions({ steps }: Saga): boolean {
  return Object.values(steps).some(({ calls = [] }) => calls.some((call) => escrowOperationNames.has(call)));
}

/** Whether a run of the saga is aborted if it has not reached its point of no return in time. */
export function hasDeadline({ steps }: Saga): boolean {
  return Object.values(steps).some(({ deadline }) => deadline !== undefined);
}

import type { MessageDeclaration } from '../messages/index.js';
import type { ServiceName } from '../services/index.js';

/** What a step may ask of the escrow provider. */
export type ProviderOperation = 'deploy' | 'fund' | 'complete' | 'approve' | 'release' | 'dispute' | 'resolve';

/** One service handling one message, or the request that starts the saga. */
export type SagaStep = {
  readonly by: ServiceName;
  /** Several are all waited for, in any order. Absent where the step handles a request, or what was seen on the ledger network. */
  readonly on?: MessageDeclaration | readonly MessageDeclaration[];
  /** What the documentation says of the step. */
  readonly does: string;
  /** When it succeeds; what depends on a decision is published in part. Audit entries are listed for compensations only. */
  readonly publishes: readonly MessageDeclaration[];
  /** When it does not. */
  readonly orElse?: readonly MessageDeclaration[];
  /** The provider operations that it calls when nobody else has touched the contract; the fault matrix is generated from them. */
  readonly calls?: readonly ProviderOperation[];
  /** The earlier step whose effect it undoes. */
  readonly compensates?: string;
  /** Once this step has succeeded the saga goes forward only. */
  readonly pointOfNoReturn?: true;
  /** The waiting request is answered here. */
  readonly ends?: 'succeeded' | 'failed';
};

export type SagaSteps = Readonly<Record<string, SagaStep>>;

/** A business operation across services. It has no conductor: every step knows only the messages it handles. */
export type Saga<Name extends string = string, Steps extends SagaSteps = SagaSteps> = {
  readonly name: Name;
  readonly summary: string;
  readonly steps: Steps;
};

/** Only steps of the same saga can be compensated. */
type Compensations<Steps> = { readonly [Step in keyof Steps]: { readonly compensates?: Exclude<keyof Steps, Step> } };

/** Declares a saga once: services bind their handlers to it, and queues, docs and the fault matrix are computed from it. */
export function saga<const Name extends string, const Steps extends SagaSteps>(
  name: Name,
  summary: string,
  steps: Steps & Compensations<Steps>,
): Saga<Name, Steps> {
  return { name, summary, steps };
}

/** The messages that a step waits for; none where it starts the saga. */
export function awaitedBy({ on = [] }: SagaStep): readonly MessageDeclaration[] {
  return 'type' in on ? [on] : on;
}

/** Whatever a step may publish. */
export function publishedBy({ publishes, orElse = [] }: SagaStep): readonly MessageDeclaration[] {
  return [...publishes, ...orElse];
}

import type { MessageDeclaration } from '../../contracts/messages/index.js';
import type { ServiceName } from '../../contracts/services/index.js';

/** One service acting on one message, or on the request that begins it all. */
export type SagaStep = {
  readonly by: ServiceName;
  /** Absent where the step acts on a request from outside, or on what was seen outside. */
  readonly on?: MessageDeclaration;
  readonly does: string;
  /** What it tells when it worked. */
  readonly tells?: readonly MessageDeclaration[];
  /** What it tells when it did not. */
  readonly orElse?: readonly MessageDeclaration[];
  /** Undoes an effect of an earlier step. */
  readonly isCompensation?: true;
  /** Once this has worked, the saga goes forward only. */
  readonly isPointOfNoReturn?: true;
  /** The request that waits is answered here. */
  readonly ends?: 'succeeded' | 'failed';
};

/** A business operation across services: who does what upon what. Nobody conducts it; every step knows only its own message. */
export type Saga = {
  readonly name: string;
  readonly summary: string;
  readonly steps: readonly SagaStep[];
};

/** Declares a saga once; the drawings in the docs and the check against the real consumers read this. */
export function saga(declaration: Saga): Saga {
  return declaration;
}

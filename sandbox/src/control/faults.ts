import { randomInt, randomUUID } from 'node:crypto';
import type { FaultKind, FaultOperation, FaultTarget } from './fault-kinds.js';
import type { FaultRequest } from './fault-request.js';

export type Fault = FaultRequest & { readonly id: string; readonly strikes: number };

export type FaultMatch = {
  readonly target: FaultTarget;
  readonly operation: FaultOperation;
  readonly kinds: readonly FaultKind[];
  /** Only faults of exactly this operation match; faults of all operations do not. */
  readonly isNamed?: boolean | undefined;
  /** Whether the fault can strike this call. A fault that cannot is not used up. */
  readonly fits?: ((fault: Fault) => boolean) | undefined;
};

/** The configured faults. They are matched in the order in which they were added, and at most one applies to a call. */
export type Faults = {
  /** The fault that was added before, if there is one with the same reference. */
  readonly add: (request: FaultRequest) => Fault;
  readonly list: () => readonly Fault[];
  /** Also releases every connection that a fault holds. */
  readonly clear: () => void;
  readonly take: (match: FaultMatch) => Fault | undefined;
  /** Aborted when the current faults are deleted. */
  readonly cleared: () => AbortSignal;
};

const probabilitySteps = 1_000_000;

export function createFaults(): Faults {
  let faults: Fault[] = [];
  let clearing = new AbortController();

  const take = ({ target, operation, kinds, isNamed = false, fits = () => true }: FaultMatch): Fault | undefined => {
    const index = faults.findIndex(
      (fault) =>
        fault.target === target &&
        (fault.operation === operation || (fault.operation === undefined && !isNamed)) &&
        kinds.includes(fault.kind) &&
        fault.strikes < (fault.times ?? Infinity) &&
        fits(fault) &&
        isChosen(fault.probability),
    );
    const fault = faults[index];
    if (fault === undefined) return undefined;
    const taken = { ...fault, strikes: fault.strikes + 1 };
    faults = faults.with(index, taken);
    return taken;
  };

  return {
    add: (request) => {
      const known = request.reference === undefined ? undefined : faults.find((one) => one.reference === request.reference);
      if (known !== undefined) return known;
      const fault = { ...request, id: randomUUID(), strikes: 0 };
      faults = [...faults, fault];
      return fault;
    },
    list: () => faults,
    clear: () => {
      faults = [];
      clearing.abort();
      clearing = new AbortController();
    },
    take,
    cleared: () => clearing.signal,
  };
}

function isChosen(probability: number | undefined): boolean {
  return probability === undefined || randomInt(probabilitySteps) < probability * probabilitySteps;
}

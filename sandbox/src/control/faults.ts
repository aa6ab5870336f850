import { randomInt, randomUUID } from 'node:crypto';

export const faultTargets = {
  'escrow-provider': ['deploy', 'fund', 'complete', 'approve', 'release', 'dispute', 'resolve', 'read'],
  'ledger-network': ['submit', 'read'],
  'payment-provider': ['create-payin', 'create-payout', 'commit', 'read'],
} as const;
export type FaultTarget = keyof typeof faultTargets;
export type FaultOperation = (typeof faultTargets)[FaultTarget][number];

/** Kinds that apply before the effect of a call, and kinds that apply after it. */
export const faultKinds = {
  before: ['latency', 'error-before-effect', 'rate-limited'],
  after: ['error-after-effect', 'timeout-after-effect', 'malformed', 'no-contract-id'],
} as const;
export type FaultKind = (typeof faultKinds)['before' | 'after'][number];

export type FaultRequest = {
  readonly target: FaultTarget;
  /** Absent means every operation of the target. */
  readonly operation?: FaultOperation | undefined;
  readonly kind: FaultKind;
  /** Absent means until the fault is deleted. */
  readonly times?: number | undefined;
  readonly probability?: number | undefined;
  readonly latencyMs?: number | undefined;
};

export type Fault = FaultRequest & { readonly id: string; readonly strikes: number };

export type FaultMatch = {
  readonly target: FaultTarget;
  readonly operation: FaultOperation;
  readonly kinds: readonly FaultKind[];
};

/** The configured faults. They are matched in the order in which they were added, and at most one applies to a call. */
export type Faults = {
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

  const take = ({ target, operation, kinds }: FaultMatch): Fault | undefined => {
    const index = faults.findIndex(
      (fault) =>
        fault.target === target &&
        (fault.operation === undefined || fault.operation === operation) &&
        kinds.includes(fault.kind) &&
        fault.strikes < (fault.times ?? Infinity) &&
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

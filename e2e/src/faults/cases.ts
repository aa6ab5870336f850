import type { Milestone } from './order-life.js';
import { providerCalls, sagaRequests, type SagaRequest } from './saga-requests.js';
import type { Fault } from './sandbox-control.js';

/** One thing that goes wrong in one step of one saga. */
export type FaultCase = SagaRequest & {
  readonly name: string;
  readonly fault: Fault;
  readonly milestones: readonly Milestone[];
};

const kinds = [
  'error-before-effect',
  'error-after-effect',
  'timeout-after-effect',
  'rate-limited',
  'malformed',
  'latency',
] as const;

const twoMilestones: readonly Milestone[] = [
  { ref: 'draft', title: 'First draft', amount: '40.00' },
  { ref: 'final', title: 'Final version', amount: '60.00' },
];

const latencyMs = 300;

/** One failure, and failures until the fault is removed. */
const lengths = [1, undefined] as const;

/** The steps that move money: their submission may be acknowledged as a success although nothing lands. */
const claimed: readonly string[] = ['fund', 'release', 'resolve'];

/** During every saga: at the network, where transactions are submitted and read, and at the provider's indexer. */
const sagaFaults: readonly Fault[] = [
  { target: 'ledger-network', operation: 'read', kind: 'error-before-effect', times: 3 },
  ...kinds.map((kind): Fault => ({ target: 'ledger-network', operation: 'submit', kind, times: 2, latencyMs })),
  { target: 'ledger-network', operation: 'read', kind: 'lagging-node' },
  { target: 'escrow-provider', operation: 'read', kind: 'indexer-behind' },
];

/** Every fault kind at every provider operation of the saga tables, on contracts of one and of several milestones. */
export const allCases: readonly FaultCase[] = [
  ...providerCalls.flatMap(({ saga, during, ending, operation }) =>
    kindsAt(operation).flatMap((kind) =>
      lengths.map((times, nth) =>
        faultCase({ saga, during, ending }, { target: 'escrow-provider', operation, kind, ...strikes(times) }, nth === 1),
      ),
    ),
  ),
  faultCase(
    { saga: 'create-escrow', during: 'escrow', ending: 'release' },
    { target: 'escrow-provider', operation: 'deploy', kind: 'no-contract-id', times: 1 },
    false,
  ),
  ...sagaRequests
    .filter(({ during }) => providerCalls.some((call) => call.during === during))
    .flatMap((request) => sagaFaults.flatMap((fault) => [false, true].map((isMulti) => faultCase(request, fault, isMulti)))),
];

/** At least one per kind and one per saga, for every run of the tests. */
export const chosenCases: readonly FaultCase[] = [
  pick('create-escrow', 'deploy', 'error-before-effect', 1),
  pick('fund', 'fund', 'error-after-effect', 1),
  pick('fund', 'fund', 'error-before-effect', undefined),
  pick('fund', 'fund', 'claims-success', 1),
  pick('release', 'approve', 'malformed', 1),
  pick('refund', 'resolve', 'rate-limited', 1),
  pick('refund', 'read', 'indexer-behind', undefined),
  pick('resolve-dispute', 'dispute', 'latency', 1),
  pick('resolve-dispute', 'approve', 'error-after-effect', 1),
  pick('release', 'release', 'timeout-after-effect', 1),
  pick('release', 'release', 'claims-success', undefined),
  pick('release', 'read', 'lagging-node', undefined),
  pick('release-milestone', 'release', 'timeout-after-effect', 1),
  pick('refund-milestone', 'resolve', 'error-after-effect', 1),
  pick('resolve-milestone-dispute', 'resolve', 'claims-success', 1),
];

function kindsAt(operation: string): readonly string[] {
  return claimed.includes(operation) ? [...kinds, 'claims-success'] : kinds;
}

export function faultCase(request: SagaRequest, fault: Fault, hasMilestones: boolean): FaultCase {
  const often = fault.times === undefined ? 'until it is mended' : `${fault.times.toString()} time(s)`;
  const what = `${fault.target} ${fault.operation} ${fault.kind} ${often}`;
  return {
    ...request,
    name: `${request.saga} (${request.during}): ${what}, ${hasMilestones ? 'two milestones' : 'no milestones'}`,
    fault,
    milestones: hasMilestones ? twoMilestones : [],
  };
}

function strikes(times: number | undefined): Pick<Fault, 'times' | 'latencyMs'> {
  return { ...(times === undefined ? {} : { times }), latencyMs };
}

function pick(saga: string, operation: string, kind: string, times: number | undefined): FaultCase {
  const found = allCases.find(
    (candidate) =>
      candidate.saga === saga &&
      candidate.fault.operation === operation &&
      candidate.fault.kind === kind &&
      candidate.fault.times === times,
  );
  if (found === undefined) throw new Error(`there is no case of ${saga} ${operation} ${kind}`);
  return found;
}

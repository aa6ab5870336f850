import type { ProviderOperation } from '@holdfast/contracts/sagas';
import { faultCase, type FaultCase } from './cases.js';
import { providerCalls } from './saga-requests.js';

const everyOperation = ['deploy', 'fund', 'complete', 'approve', 'release', 'dispute', 'resolve'] as const;

/** How a hostile provider can falsify the transactions that it builds, and at which operations. */
export const falsifications: Readonly<Record<string, readonly ProviderOperation[]>> = {
  'wrong-contract': everyOperation,
  'wrong-function': everyOperation,
  'extra-operation': everyOperation,
  'foreign-credential': everyOperation,
  'endless-bounds': everyOperation,
  'huge-fee': everyOperation,
  'wrong-amount': ['deploy', 'fund', 'resolve'],
  'wrong-receiver': ['deploy', 'fund', 'release', 'resolve'],
  'extra-transfer': ['fund'],
};

/** Every falsification at every provider operation of the saga tables that it fits, on contracts of one and of several milestones. */
export const allFalsifications: readonly FaultCase[] = providerCalls.flatMap(({ saga, during, ending, operation }) =>
  Object.entries(falsifications)
    .filter(([, operations]) => operations.includes(operation))
    .flatMap(([kind]) =>
      [false, true].map((isMulti) =>
        faultCase({ saga, during, ending }, { target: 'escrow-provider', operation, kind, times: 1 }, isMulti),
      ),
    ),
);

/** One where a contract is made, one where it is funded and one where it pays, for every run of the tests; the adapter tests every kind. */
const chosen = [
  ['create-escrow', 'deploy', 'wrong-receiver'],
  ['fund', 'fund', 'wrong-amount'],
  ['release', 'release', 'wrong-contract'],
] as const;

/** On contracts of one and of several milestones by turns. */
export const chosenFalsifications: readonly FaultCase[] = chosen.map(([saga, operation, kind], nth) => {
  const found = allFalsifications.filter(
    (candidate) => candidate.saga === saga && candidate.fault.operation === operation && candidate.fault.kind === kind,
  )[nth % 2];
  if (found === undefined) throw new Error(`there is no case of ${saga} ${operation} ${kind}`);
  return found;
});

import type { MessageDeclaration } from '@holdfast/contracts/messages';
import { initEscrow } from '@holdfast/contracts/sagas';
import { allCases } from './cases.js';
import { allFalsifications } from './falsifying-cases.js';
import { allLosses } from './loss-cases.js';
import type { Fault } from './sandbox-control.js';

/** One thing that goes wrong outside during POST /escrow/init. */
export type InitFault = { readonly name: string; readonly fault: Fault };

/** A message that is lost during POST /escrow/init. */
export type InitLoss = {
  readonly name: string;
  readonly message: MessageDeclaration;
  /** What leads to the message, until it is lost. */
  readonly fault?: Fault;
};

const { sagas, compensatedBy } = initEscrow;
const isOfSequence = ({ saga }: { readonly saga: string }): boolean => sagas.some((name) => name === saga);

/** Every fault and falsification of its sagas. The order of a project has no milestones. */
export const allInitFaults: readonly InitFault[] = [
  ...new Map(
    [...allCases, ...allFalsifications].filter(isOfSequence).map(({ saga, fault }) => {
      const often = fault.times === undefined ? 'until it is mended' : `${fault.times.toString()} time(s)`;
      const name = `init (${saga}): ${fault.target} ${fault.operation} ${fault.kind} ${often}`;
      return [name, { name, fault }] as const;
    }),
  ).values(),
];

/** One that a retry mends and one that is compensated, at each provider operation. */
export const chosenInitFaults: readonly InitFault[] = [
  pickFault('deploy', 'timeout-after-effect', 1),
  pickFault('deploy', 'wrong-receiver', 1),
  pickFault('fund', 'claims-success', 1),
  pickFault('fund', 'wrong-amount', 1),
];

function pickFault(operation: string, kind: string, times: number): InitFault {
  const found = allInitFaults.find(({ fault }) => fault.operation === operation && fault.kind === kind && fault.times === times);
  if (found === undefined) throw new Error(`there is no fault ${operation} ${kind} of init`);
  return found;
}

/**
 * Nothing within one request leads to them: the balance is checked before anything begins, and the hold is as large as the order. The tests
 * of many projects and of a released hold cover them.
 */
export const withoutCauseInInit = ['balance.reservation_refused', 'balance.deduction_refused'];

const refusedDeployment: Fault = { target: 'escrow-provider', operation: 'deploy', kind: 'wrong-function' };

/** Every message that a step of its sagas, or of its compensation, awaits. */
export const allInitLosses: readonly InitLoss[] = allLosses
  .filter((loss) => isOfSequence(loss) || loss.saga === compensatedBy)
  .filter(({ message }) => !withoutCauseInInit.includes(message.type))
  .map(({ message, saga, cause }) => {
    const fault = saga === compensatedBy ? refusedDeployment : cause?.fault;
    return {
      name: `${message.type} in init (${saga})`,
      message,
      ...(fault === undefined ? {} : { fault }),
    };
  });

/** The first message between two sagas, and the end of the compensation. */
export const chosenInitLosses: readonly InitLoss[] = [pickLoss('escrow.deploy_requested'), pickLoss('balance.reservation_freed')];

function pickLoss(type: string): InitLoss {
  const found = allInitLosses.find(({ message }) => message.type === type);
  if (found === undefined) throw new Error(`no step of init awaits ${type}`);
  return found;
}

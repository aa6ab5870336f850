import type { FaultKind, FaultOperation } from '../control/fault-kinds.js';
import type { InjectFaults } from '../control/inject-faults.js';
import type { RouteResponse, WebRequest } from '../web/route.js';
import type { SubmittedTransaction } from './submitted-transaction.js';

/** A submission to the network, through whichever interface. */
export type Submission = {
  readonly transaction: SubmittedTransaction;
  readonly submit: () => RouteResponse | Promise<RouteResponse>;
  /** The response of this interface to a submission that has succeeded. */
  readonly claimSuccess: () => RouteResponse;
};

/** The step of an escrow to which a contract function belongs. */
const stepOf: Readonly<Record<string, FaultOperation>> = {
  tw_new_single_release_escrow: 'deploy',
  tw_new_multi_release_escrow: 'deploy',
  fund_escrow: 'fund',
  change_milestone_status: 'complete',
  approve_milestone: 'approve',
  release_funds: 'release',
  release_milestone_funds: 'release',
  dispute_escrow: 'dispute',
  dispute_milestone: 'dispute',
  resolve_dispute: 'resolve',
  resolve_milestone_dispute: 'resolve',
  withdraw_remaining_funds: 'resolve',
};

const kindsOfSubmissions: readonly FaultKind[] = ['claims-success', 'error-after-effect', 'timeout-after-effect'];
/** The network does not say which contract a deployment has created, so only the provider can leave it out. */
export const kindsOfProviderSubmissions: readonly FaultKind[] = [...kindsOfSubmissions, 'no-contract-id'];

/** Faults of a step of an escrow apply to the submission of its transaction, wherever it is sent. */
export function submitWithFaults(
  injectFaults: InjectFaults,
  request: Pick<WebRequest, 'clientClosed'>,
  { transaction, submit, claimSuccess }: Submission,
  kinds: readonly FaultKind[] = kindsOfSubmissions,
): RouteResponse | Promise<RouteResponse> {
  const [operation] = transaction.operations;
  const step = operation?.kind === 'contract_call' ? stepOf[operation.functionName] : undefined;
  if (step === undefined) return submit();
  return injectFaults({ target: 'escrow-provider', operation: step, kinds, claimSuccess }, request, submit);
}

import type { caseResolutionRequested, Envelope, Payload } from '@holdfast/contracts/messages';
import type { Deps } from './ports.js';

/** Books the money of a reconciliation case from the suspense account to where it belongs. */
export function handleCaseResolutionRequested(
  _deps: Deps,
  message: Envelope<Payload<typeof caseResolutionRequested>>,
): Promise<void> {
  return Promise.reject(new Error(`The case ${message.payload.caseId} cannot be resolved yet.`));
}

import type { caseOpened, Envelope, Payload } from '@holdfast/contracts/messages';
import type { Deps } from './ports.js';

/** Books the money of a reconciliation case to the suspense account. */
export function handleCaseOpened(_deps: Deps, message: Envelope<Payload<typeof caseOpened>>): Promise<void> {
  return Promise.reject(new Error(`The case ${message.payload.caseId} cannot be booked yet.`));
}

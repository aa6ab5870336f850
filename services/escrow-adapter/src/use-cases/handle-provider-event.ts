import { usedEscrowProviderEvent } from '@holdfast/contracts/http';
import type { ClaimedEvent, EventOutcome, FinalOutcome } from '@holdfast/webhook-inbox';
import type { Contract } from '../domain/contract.js';
import { detectExternalChanges } from './detect-external-changes.js';
import type { Deps, EventSubject } from './ports.js';

/** After so many checks an event that the network does not confirm is ignored. */
export const unconfirmedAttemptsMax = 12;

/**
 * An event wakes the contract's intent or triggers a check. Its content is not trusted: the network must confirm it. Without
 * a signature it may do so only now and then (`UnsignedChecks`).
 */
export async function handleProviderEvent(deps: Deps, event: ClaimedEvent): Promise<EventOutcome> {
  const data = usedEscrowProviderEvent.shape.data.parse(JSON.parse(Buffer.from(event.body).toString('utf8')));
  const subject = await deps.eventSubjects.find(data);
  wakeIntentOf(deps, subject, event.isSigned);
  return subject.known ?? checkEvent(deps, event, { ...subject, transactionHash: data.transaction_hash });
}

const unknownContract: FinalOutcome = { result: 'ignored', note: 'unknown contract' };

export function wakeIntentOf(
  { unsignedChecks, intents }: Deps,
  { intentId }: Pick<EventSubject, 'intentId'>,
  isSigned: boolean,
): void {
  if (intentId !== undefined && (isSigned || unsignedChecks.mayWake(intentId))) intents.wake(intentId);
}

type Checked = Pick<EventSubject, 'escrowId'> & { readonly transactionHash: string | undefined };

async function checkEvent(
  deps: Deps,
  { id, isSigned }: ClaimedEvent,
  { escrowId, transactionHash }: Checked,
): Promise<EventOutcome> {
  if (escrowId === undefined) return unknownContract;
  if (!isSigned && !deps.unsignedChecks.mayCheck(escrowId)) return unconfirmed('too many events without a signature');
  const landed = transactionHash === undefined ? undefined : await deps.rpc.findTransaction(transactionHash);
  if (transactionHash !== undefined && landed === undefined) return unconfirmed('the transaction is not on the ledger network');
  if (landed?.status === 'failed') return { result: 'ignored', note: 'the transaction failed' };
  const contract = await deps.contracts.find(escrowId);
  if (contract === undefined) return unknownContract;
  const resolved = await resolvedMilestoneIn(deps, contract, transactionHash);
  return applied(await detectExternalChanges(deps, contract, { eventId: id, landed, resolved }));
}

/** Transfers of the same amount do not tell milestones apart, the call of the transaction does. */
async function resolvedMilestoneIn(
  { rpc }: Deps,
  { releaseMode, contractId }: Contract,
  transactionHash: string | undefined,
): Promise<number | undefined> {
  if (releaseMode === 'order' || contractId === undefined || transactionHash === undefined) return undefined;
  return rpc.resolvedMilestoneIn(transactionHash, contractId);
}

function applied(note: string): FinalOutcome {
  return { result: 'applied', note };
}

function unconfirmed(note: string): EventOutcome {
  return { result: 'unconfirmed', note };
}

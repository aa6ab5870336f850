import { detectExternalChanges } from './detect-external-changes.js';
import type { StoredEvent, ProviderEvent } from './event-ports.js';
import type { Deps } from './ports.js';

/** After this many checks an event that the network does not confirm is closed without effect. */
const attemptsMax = 12;

/**
 * An event wakes the contract's intent or triggers a check. Its content is not trusted: the network must confirm it. Without
 * a signature it may do so only now and then (`UnsignedChecks`).
 */
export async function handleProviderEvent(deps: Deps, stored: StoredEvent): Promise<void> {
  const { isSigned } = stored.event;
  if (!stored.isDone) return processEvent(deps, stored);
  const { intentId } = stored;
  if (intentId !== undefined && (isSigned || deps.unsignedChecks.mayWake(intentId))) deps.intents.wake(intentId);
}

type OpenEvent = Extract<StoredEvent, { readonly isDone: false }>;

async function processEvent(deps: Deps, stored: OpenEvent): Promise<void> {
  const { event, attempts } = stored;
  try {
    const check = await checkEvent(deps, stored);
    if (check.status === 'done') await deps.events.finish(event, check.result);
    else await postponeOrGiveUp(deps, event, attempts, check.reason);
  } catch (error) {
    deps.log.warn({ eventId: event.eventId, type: event.type, error }, 'provider event postponed');
    await postponeOrGiveUp(deps, event, attempts, 'the check failed');
  }
}

type EventCheck = { readonly status: 'done'; readonly result: string } | { readonly status: 'open'; readonly reason: string };

async function checkEvent(deps: Deps, { event, escrowId }: OpenEvent): Promise<EventCheck> {
  if (!event.isSigned && !deps.unsignedChecks.mayCheck(escrowId))
    return { status: 'open', reason: 'too many events without a signature' };
  const { transactionHash } = event;
  const landed = transactionHash === undefined ? undefined : await deps.rpc.findTransaction(transactionHash);
  if (transactionHash !== undefined && landed === undefined)
    return { status: 'open', reason: 'the transaction is not on the ledger network' };
  if (landed?.status === 'failed') return done('the transaction failed');
  const contract = await deps.contracts.find(escrowId);
  if (contract === undefined) return done('unknown contract');
  return done(await detectExternalChanges(deps, contract, { eventId: event.id, landed }));
}

async function postponeOrGiveUp({ events }: Deps, event: ProviderEvent, attempts: number, reason: string): Promise<void> {
  if (attempts + 1 >= attemptsMax) await events.finish(event, `never confirmed: ${reason}`);
  else await events.postpone(event, reason);
}

function done(result: string): EventCheck {
  return { status: 'done', result };
}

const eventsMax = 50;

/** Retries the events whose check failed or was not confirmed, and those of processes that died. */
export async function handleDueEvents(deps: Deps): Promise<void> {
  for (const stored of await deps.events.claimDue(eventsMax)) await handleProviderEvent(deps, stored);
}

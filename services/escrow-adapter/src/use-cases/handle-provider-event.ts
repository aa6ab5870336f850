import { lookForOutsideFacts } from './look-for-outside-facts.js';
import type { Deps, KeptEvent, ProviderEvent } from './ports.js';

/** Asked this often, a network or provider that does not confirm an event means that it is not true. */
const attemptsMax = 12;

/** An event is a hint: what is ours is looked at now, and whatever is news is believed only as far as it is confirmed. */
export async function handleProviderEvent(deps: Deps, kept: KeptEvent): Promise<void> {
  if (!kept.isDone) return lookInto(deps, kept);
  if (kept.intentId !== undefined) deps.intents.wake(kept.intentId);
}

type OpenEvent = Extract<KeptEvent, { readonly isDone: false }>;

async function lookInto(deps: Deps, kept: OpenEvent): Promise<void> {
  const { event, attempts } = kept;
  try {
    const verdict = await verdictOn(deps, kept);
    if (verdict.is === 'done') await deps.events.done(event, verdict.result);
    else await laterOrNever(deps, event, attempts, verdict.reason);
  } catch (error) {
    deps.log.warn({ eventId: event.eventId, type: event.type, error }, 'an event of the escrow provider waits');
    await laterOrNever(deps, event, attempts, 'it could not be looked into');
  }
}

type Verdict = { readonly is: 'done'; readonly result: string } | { readonly is: 'open'; readonly reason: string };

async function verdictOn(deps: Deps, { event, escrowId }: OpenEvent): Promise<Verdict> {
  const { transactionHash } = event;
  if (transactionHash !== undefined) {
    const landed = await deps.network.transaction(transactionHash);
    if (landed === undefined) return { is: 'open', reason: 'the ledger network does not know the transaction' };
    if (!landed.isSuccessful) return done('the transaction failed');
  }
  const contract = await deps.contracts.find(escrowId);
  return done(contract === undefined ? 'not ours' : await lookForOutsideFacts(deps, contract, event));
}

async function laterOrNever({ events }: Deps, event: ProviderEvent, attempts: number, reason: string): Promise<void> {
  if (attempts + 1 >= attemptsMax) await events.done(event, `never confirmed: ${reason}`);
  else await events.later(event, reason);
}

function done(result: string): Verdict {
  return { is: 'done', result };
}

const eventsMax = 50;

/** Takes up what could not be looked into before. */
export async function handleDueEvents(deps: Deps): Promise<void> {
  for (const kept of await deps.events.takeDue(eventsMax)) await handleProviderEvent(deps, kept);
}

import type { Contract } from '../domain/contract.js';
import { lookForOutsideFacts } from './look-for-outside-facts.js';
import type { Deps, ProviderEvent } from './ports.js';

/** Asked this often, a network or provider that does not confirm an event means that it is not true. */
const attemptsMax = 12;

/** An event is a hint: what is ours is looked at now, and whatever is news is believed only as far as it is confirmed. */
export async function handleProviderEvent(deps: Deps, event: ProviderEvent, attempts: number): Promise<void> {
  try {
    const verdict = await verdictOn(deps, event);
    if (verdict.is === 'done') await deps.events.done(event, verdict.result);
    else await laterOrNever(deps, event, attempts, verdict.reason);
  } catch (error) {
    deps.log.warn({ eventId: event.eventId, type: event.type, error }, 'an event of the escrow provider waits');
    await laterOrNever(deps, event, attempts, 'it could not be looked into');
  }
}

type Verdict = { readonly is: 'done'; readonly result: string } | { readonly is: 'open'; readonly reason: string };

async function verdictOn(deps: Deps, event: ProviderEvent): Promise<Verdict> {
  const contract = await contractOf(deps, event);
  if (contract === undefined) return done('not ours');
  const intentId = await deps.intents.openOf(contract.escrowId);
  if (intentId !== undefined) {
    deps.intents.wake(intentId);
    return done('woke its intent');
  }
  const { transactionHash } = event;
  if (transactionHash === undefined) return done(await lookForOutsideFacts(deps, contract, event));
  if (await deps.transactions.isOwn(transactionHash)) return done('our own doing');
  const landed = await deps.network.transaction(transactionHash);
  if (landed === undefined) return { is: 'open', reason: 'the ledger network does not know the transaction' };
  if (!landed.isSuccessful) return done('the transaction failed');
  return done(await lookForOutsideFacts(deps, contract, event));
}

async function contractOf({ contracts }: Deps, { contractId, orderId }: ProviderEvent): Promise<Contract | undefined> {
  const known = await contracts.findByContractId(contractId);
  if (known !== undefined || orderId === undefined) return known;
  const ofOrder = await contracts.findOfOrder(orderId);
  // A contract that has an id of its own is not the one the event speaks of.
  return ofOrder?.contractId === undefined ? ofOrder : undefined;
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
  for (const { attempts, ...event } of await deps.events.takeDue(eventsMax)) await handleProviderEvent(deps, event, attempts);
}

import type { Settings } from './call-options.js';
import { call, isBeforeEffect, isPassing, isUnanswered, outcomeUnknown, sendOnce, withRetries } from './call.js';
import type { OperationId } from './generated/operations.js';
import type { Dispute, Order } from './generated/types.js';
import { hasCode, isHoldfastError, type HoldfastError } from './holdfast-error.js';
import { outcomes, type Outcome, type ReadRecords } from './outcomes.js';
import { backoffMs, pause } from './pause.js';
import { callOf, requestOf, type Call } from './request.js';
import { partOf } from './response.js';
import type { Outgoing } from './send.js';

/** Calls an operation and returns its record, whatever happens to the connections. */
export async function recordOf(settings: Settings, made: Call): Promise<unknown> {
  if (made.id === 'orders.create') return createOrder(settings, made);
  const outcome = outcomes[made.id];
  return outcome === undefined ? callOnce(settings, made) : callProtected(settings, made, outcome);
}

async function callOnce(settings: Settings, made: Call): Promise<unknown> {
  const { body, requestId } = await call(settings, made);
  return partOf(body, made.operation.at, requestId);
}

/** A `clientOrderRef` of its own makes a repeat harmless: the order of that reference is the order of the first request. */
async function createOrder(settings: Settings, made: Call): Promise<unknown> {
  if (made.input['clientOrderRef'] !== undefined) return callOnce(settings, made);
  const input = { ...made.input, clientOrderRef: `sdk_${crypto.randomUUID()}` };
  return callOnce(settings, { ...made, input }).catch((error: unknown) => {
    if (!isHoldfastError(error, 'CLIENT_ORDER_REF_EXISTS')) throw error;
    return callOnce(settings, callOf('orders.get', [error.details['orderId'], made.options]));
  });
}

/** What a repeat is refused with if the first request was carried out, or still runs. */
const refusalsOfRepeats = ['INVALID_STATE', 'ESCROW_ALREADY_EXISTS', 'DISPUTE_ALREADY_OPEN'] as const;

/**
 * After a request whose outcome is unknown it reads the record until no operation runs on it. The wanted state is the result, the state
 * from before means one repeat, and anything else is OUTCOME_UNKNOWN with the record.
 */
async function callProtected(settings: Settings, made: Call, outcome: Outcome): Promise<unknown> {
  const outgoing = requestOf(settings, made);
  const first = await attempt(settings, made, outgoing);
  if ('record' in first) return first.record;
  if (!isPassing(first.error)) throw first.error;
  const read = await readAtRest(settings, made, { outcome, error: first.error });
  const result = outcome.resultOf(read, made);
  if (result !== undefined) return result;
  if (!outcome.isBefore(read, made)) throw outcomeUnknown(first.error, shownOf(outcome, read));
  return repeat(settings, made, { outcome, outgoing });
}

async function repeat(settings: Settings, made: Call, { outcome, outgoing }: Repeated): Promise<unknown> {
  const second = await attempt(settings, made, outgoing);
  if ('record' in second) return second.record;
  const { error } = second;
  const mayFollowTheFirst = isPassing(error) || hasCode(error, ...refusalsOfRepeats);
  if (!mayFollowTheFirst) throw error;
  const read = await readAtRest(settings, made, { outcome, error });
  const result = outcome.resultOf(read, made);
  if (result !== undefined) return result;
  throw isUnanswered(error) ? outcomeUnknown(error, shownOf(outcome, read)) : error;
}

type Repeated = { readonly outcome: Outcome; readonly outgoing: Outgoing };
type Attempt = { readonly record: unknown } | { readonly error: HoldfastError };

async function attempt(settings: Settings, made: Call, outgoing: Outgoing): Promise<Attempt> {
  try {
    const body = await withRetries(settings, made, isBeforeEffect, () => sendOnce(settings, outgoing));
    return { record: partOf(body, made.operation.at, outgoing.requestId) };
  } catch (error) {
    if (isHoldfastError(error)) return { error };
    throw error;
  }
}

function shownOf({ reads }: Outcome, read: ReadRecords | null): Order | Dispute | null {
  return (reads === 'order' ? read?.order : read?.dispute) ?? null;
}

type Unknown = { readonly outcome: Outcome; readonly error: HoldfastError };

const readDelays = { firstDelayMs: 100, delayMsMax: 2_000 };

/** The record once no operation runs on its order. OUTCOME_UNKNOWN after `timeoutMs`. */
async function readAtRest(settings: Settings, made: Call, { outcome, error }: Unknown): Promise<ReadRecords> {
  const { timeoutMs = settings.timeoutMs, signal } = made.options;
  const endMs = performance.now() + timeoutMs;
  let last: ReadRecords | null = null;
  for (let attempt = 0; ; attempt += 1) {
    const leftMs = endMs - performance.now();
    if (leftMs <= 0) throw outcomeUnknown(error, shownOf(outcome, last));
    last = (await readOnce(settings, made, { outcome, leftMs })) ?? last;
    if (last !== null && isAtRest(last)) return last;
    await pause(Math.min(leftMs, backoffMs(attempt, readDelays)), signal);
  }
}

/** Older platforms have no `operation`. */
function isAtRest({ order }: ReadRecords): boolean {
  const { operation = null } = order as Partial<Order>;
  return operation === null;
}

type Reading = { readonly outcome: Outcome; readonly leftMs: number };

/** Undefined if the record cannot be read for now. */
async function readOnce(settings: Settings, made: Call, { outcome, leftMs }: Reading): Promise<ReadRecords | undefined> {
  const [id = ''] = made.params;
  const { requestId: _requestId, ...shared } = made.options;
  const options = { ...shared, timeoutMs: Math.ceil(leftMs) };
  const get = (operation: OperationId, of: string) => callOnce(settings, callOf(operation, [of, options]));
  try {
    if (outcome.reads === 'order') return { order: (await get('orders.get', id)) as Order, dispute: null };
    const dispute = (await get('disputes.get', id)) as Dispute;
    const order = (await get('orders.get', dispute.orderId)) as Order;
    // The order shows its newest dispute, as it was when no operation ran on the order.
    return { order, dispute: order.dispute?.id === id ? order.dispute : dispute };
  } catch (error) {
    if (!isHoldfastError(error) || !(isPassing(error) || isBeforeEffect(error))) throw error;
    return undefined;
  }
}

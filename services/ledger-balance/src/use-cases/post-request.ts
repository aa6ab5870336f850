import type { Context } from '@holdfast/kernel/context';
import type { TransferType } from '@holdfast/contracts/http';
import type { Envelope } from '@holdfast/contracts/messages';
import { published, type Published } from '@holdfast/contracts/sagas';
import { isAppError } from '@holdfast/kernel/errors';
import { currencyOf, usersOf, type Instruction } from '../domain/instructions.js';
import { auditOf } from './audit.js';
import type { BalanceAfter, Deps, Posted, Posting, Reply } from './ports.js';

type PostingRequest<I extends Instruction = Instruction> = {
  readonly type: TransferType;
  readonly instruction: I;
  readonly orderId?: string | undefined;
  readonly milestoneRef?: string | undefined;
  readonly reference?: string | undefined;
  readonly description?: string | undefined;
};

/** Posts the instruction of an HTTP request and returns the balance after it. */
export async function postRequest(deps: Deps, request: PostingRequest, ctx: Context): Promise<BalanceAfter> {
  const { caller, operationId, requestId } = ctx;
  const origin = { marketplaceId: caller.marketplaceId, cause: operationId, requestId, audit: auditOf(request, ctx) };
  const posted = await post(deps, postingOf(request, origin));
  const [userId] = usersOf(request.instruction);
  const { transferId, availableUnits, reservedUnits, at } = posted;
  if (userId === undefined || transferId === null) throw new Error('a request always moves money of one user');
  return { transferId, availableUnits, reservedUnits, at, userId, currency: currencyOf(request.instruction) };
}

/** The public event about the change of a balance, by instruction. The others change no balance of a user. */
type BalanceEvents = {
  readonly credit: 'balance.credited';
  readonly debit: 'balance.debited';
  readonly reserve: 'balance.reserved';
  readonly free: 'balance.released';
  readonly 'free-all': 'balance.released';
  readonly deduct: 'balance.released';
  readonly restore: 'balance.reserved';
  readonly settle: 'balance.credited';
  readonly move: never;
  readonly refuse: never;
};

/**
 * Posts the instruction of a message, which publishes the events about the changed balances and the reply. Its cause is the message id, so a redelivered message changes nothing; or a given one, which
 * another request may have too.
 */
export async function postMessage<I extends Instruction, ReplyType extends string = never>(
  deps: Deps,
  message: Envelope,
  request: PostingRequest<I> & { readonly reply?: Reply<ReplyType>; readonly cause?: string },
): Promise<Published<BalanceEvents[I['does']] | ReplyType>> {
  const { id, marketplaceId, correlationId: requestId } = message;
  const cause = request.cause ?? id;
  await post(deps, postingOf(request, { marketplaceId, cause, requestId, message, reply: request.reply }));
  return published;
}

/** Fetches unknown users from identity once, then retries the posting. */
async function post(deps: Deps, posting: Posting): Promise<Posted> {
  try {
    return await deps.post(posting);
  } catch (error) {
    if (!isAppError(error, 'USER_NOT_FOUND')) throw error;
    const { marketplaceId, requestId, instruction } = posting;
    for (const userId of usersOf(instruction)) await deps.users.require({ marketplaceId, userId, requestId });
    return deps.post(posting);
  }
}

type PostingOrigin = Pick<Posting, 'marketplaceId' | 'cause' | 'requestId' | 'message' | 'reply' | 'audit'>;

/** Lists all properties, so that every posting has the same object shape: batches read hundreds of them. */
function postingOf(request: PostingRequest, origin: PostingOrigin): Posting {
  const { type, instruction, orderId, milestoneRef, reference, description } = request;
  const { marketplaceId, cause, requestId, message, reply, audit } = origin;
  const about = { orderId, milestoneRef, reference, description };
  return { type, instruction, marketplaceId, cause, requestId, ...about, message, reply, audit };
}

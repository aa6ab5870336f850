import { auditRecorded, stepMessageIds, userPaymentAccountLinked } from '@holdfast/contracts/messages';
import type { Context } from '@holdfast/kernel/context';
import { AppError, isAppError } from '@holdfast/kernel/errors';
import type { UserId } from '@holdfast/kernel/ids';
import type { PaymentAccount } from '../domain/payment-account.js';
import type { Deps, UnitOfWork } from './ports.js';
import type { ProviderCall, ProviderUser } from './provider-ports.js';

export type LinkPaymentAccount = {
  readonly id: UserId;
  readonly email?: string | undefined;
  readonly paymentAccountUserId?: string | undefined;
};

/** Links a user to an account at the payment provider, once. Payouts go there, so a link is never replaced. */
export async function linkPaymentAccount(deps: Deps, input: LinkPaymentAccount, ctx: Context): Promise<PaymentAccount> {
  const { id: userId } = input;
  const { marketplaceId } = ctx.caller;
  const lookup = { marketplaceId, userId, requestId: ctx.requestId };
  await deps.users.require(lookup);
  const linked = await deps.accounts.find(marketplaceId, userId);
  if (linked !== undefined && isNamed(linked, input)) return linked;
  const email = input.email ?? (await deps.users.findEmail(lookup));
  if (email === null) throw new AppError('PAYMENT_ACCOUNT_INVALID', { reason: 'no_email' });
  const paymentAccountUserId = eligibleId(await findAtProvider(deps, email, { marketplaceId }), input);
  const account: PaymentAccount = { userId, marketplaceId, paymentAccountUserId, email, linkedAt: ctx.at };
  return deps.perform({ name: 'linkPaymentAccount', input, ctx }, async (tx) => {
    if (!(await tx.accounts.insertIfNew(account))) return requireSame(await tx.accounts.find(userId), account);
    publishLinked(tx, account, ctx);
    return account;
  });
}

/** The repeated request needs no second look-up at the provider. */
function isNamed(linked: PaymentAccount, { email, paymentAccountUserId }: LinkPaymentAccount): boolean {
  return linked.email.toLowerCase() === email?.toLowerCase() || linked.paymentAccountUserId === paymentAccountUserId;
}

async function findAtProvider({ provider }: Deps, email: string, call: ProviderCall): Promise<ProviderUser | undefined> {
  try {
    return await provider.findUser(email, call);
  } catch (error) {
    throw isAppError(error) ? error : new AppError('SERVICE_UNAVAILABLE', {}, { cause: error });
  }
}

function eligibleId(user: ProviderUser | undefined, { paymentAccountUserId: wanted }: LinkPaymentAccount): string {
  if (user === undefined) throw new AppError('PAYMENT_ACCOUNT_INVALID', { reason: 'unknown' });
  if (wanted !== undefined && wanted !== user.id) throw new AppError('PAYMENT_ACCOUNT_INVALID', { reason: 'mismatch' });
  if (!user.isActive) throw new AppError('PAYMENT_ACCOUNT_INVALID', { reason: 'inactive' });
  if (!user.isVerified) throw new AppError('PAYMENT_ACCOUNT_INVALID', { reason: 'unverified' });
  return user.id;
}

function requireSame(linked: PaymentAccount | undefined, wanted: PaymentAccount): PaymentAccount {
  if (linked?.paymentAccountUserId === wanted.paymentAccountUserId) return linked;
  throw new AppError('INVALID_STATE', { currentStatus: 'LINKED', reason: 'the user is linked to another payment account' });
}

function publishLinked(tx: UnitOfWork, account: PaymentAccount, { caller, requestId }: Context): void {
  const { userId, marketplaceId, paymentAccountUserId, email, linkedAt } = account;
  const messageId = stepMessageIds({ cause: userId, name: 'link-payment-account', at: linkedAt });
  const envelope = {
    aggregateId: userId,
    aggregatePart: 'payments',
    aggregateVersion: 1,
    marketplaceId,
    correlationId: requestId,
  };
  const id = messageId(userPaymentAccountLinked.type);
  tx.publish({ ...envelope, id, declaration: userPaymentAccountLinked, payload: { userId, paymentAccountUserId, linkedAt } });
  tx.publish({
    ...envelope,
    id: messageId('PAYMENT_ACCOUNT_LINKED'),
    afterEventId: id,
    declaration: auditRecorded,
    payload: {
      action: 'PAYMENT_ACCOUNT_LINKED',
      resourceType: 'User',
      resourceId: userId,
      actorType: caller.type,
      actorId: caller.id,
      result: 'SUCCESS',
      reason: null,
      before: null,
      after: { paymentAccountUserId, email },
      recordedAt: linkedAt,
    },
  });
}

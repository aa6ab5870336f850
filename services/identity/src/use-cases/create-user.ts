import type { Context } from '@holdfast/kernel/context';
import { userCreated } from '@holdfast/contracts/messages';
import { baseCurrency } from '@holdfast/kernel/money';
import { newUser, type Metadata, type UserType } from '../domain/user.js';
import { auditedUser, publishAudit } from './audit.js';
import type { Deps, UserBalance, UserWithBalance } from './ports.js';
import { userMessage } from './user-message.js';
import { withBalance } from './with-balance.js';

export type CreateUser = {
  readonly externalUserId: string;
  readonly email?: string | null | undefined;
  readonly type: UserType;
  readonly metadata?: Metadata | undefined;
};

export type CreatedUser = UserWithBalance & { readonly isNew: boolean };

/** The balance of a new user is known to be zero, so that creating a user does not depend on ledger-balance. */
const zeroBalance: UserBalance = { available: '0.00', reserved: '0.00', total: '0.00', currency: baseCurrency };

/** Of concurrent requests with one external id exactly one creates the user, and the others return it. */
export async function createUser(deps: Deps, input: CreateUser, ctx: Context): Promise<CreatedUser> {
  const { user, isNew } = await deps.perform({ name: 'createUser', input, ctx }, async (tx) => {
    const { externalUserId, email = null, type, metadata = {} } = input;
    const { marketplaceId } = ctx.caller;
    const wanted = newUser({ id: deps.newId('usr'), marketplaceId, externalUserId, email, type, metadata }, ctx.at);
    const found = await tx.users.insertOrFind(wanted);
    if (found.id !== wanted.id) return { user: found, isNew: false };
    const eventId = tx.publish(userCreated, userMessage(wanted));
    publishAudit(
      tx,
      { action: 'USER_CREATED', resourceType: 'User', resource: wanted, eventId, before: null, after: auditedUser(wanted) },
      ctx,
    );
    return { user: wanted, isNew: true };
  });
  return isNew ? { user, balance: zeroBalance, isNew } : { ...(await withBalance(deps, user, ctx)), isNew };
}

import { userCreated } from '@holdfast/contracts/messages';
import type { Context } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import { defaultMarketplaceId } from '@holdfast/kernel/ids';
import type { Account } from '../domain/account.js';
import { newUser } from '../domain/user.js';
import { issueAccountToken } from './account-token.js';
import { auditedUser, publishAudit } from './audit.js';
import { limitRegistrations } from './limit-attempts.js';
import type { Deps, UnitOfWork } from './ports.js';
import { userMessage } from './user-message.js';

export type RegisterAccount = Pick<Account, 'email' | 'name'> & { readonly password: string };

export type RegisteredAccount = { readonly account: Account; readonly token: string };

/** Creates the account and its user in one commit. Of concurrent registrations with one address exactly one succeeds. */
export async function registerAccount(deps: Deps, input: RegisterAccount, ctx: Context): Promise<RegisteredAccount> {
  await limitRegistrations(deps, ctx);
  const { email, name, password } = input;
  // Before the transaction, because it takes as long as a login.
  const passwordHash = await deps.passwords.hash(password);
  const account: Account = { userId: deps.newId('usr'), email, name, passwordHash, createdAt: ctx.at };
  // The operation is stored, so its input leaves the password out.
  const operation = { name: 'registerAccount', input: { email, name }, ctx };
  await deps.perform(operation, async (tx) => {
    await insertUser(tx, account, ctx);
    if (await tx.accounts.insert(account)) return account.userId;
    deps.onAttempt('registration', 'refused');
    throw new AppError('VALIDATION_ERROR', { validationErrors: ['email is already registered'] });
  });
  deps.onAttempt('registration', 'succeeded');
  ctx.log.info({ userId: account.userId }, 'account registered');
  return { account, token: issueAccountToken(deps, account, ctx) };
}

/** The person is the actor of the audit entry. */
async function insertUser(tx: UnitOfWork, { userId, email }: Account, ctx: Context): Promise<void> {
  const identity = { id: userId, marketplaceId: defaultMarketplaceId, externalUserId: userId, email };
  const user = newUser({ ...identity, type: 'BOTH', metadata: {} }, ctx.at);
  await tx.users.insertOrFind(user);
  const eventId = tx.publish(userCreated, userMessage(user));
  const entry = { action: 'USER_CREATED', resourceType: 'User', resource: user, eventId, before: null } as const;
  publishAudit(tx, { ...entry, after: auditedUser(user) }, { ...ctx, caller: { ...ctx.caller, type: 'account', id: userId } });
}

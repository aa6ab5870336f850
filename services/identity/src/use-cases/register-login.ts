import { userCreated } from '@holdfast/contracts/messages';
import type { Context } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import { defaultMarketplaceId } from '@holdfast/kernel/ids';
import type { Login } from '../domain/login.js';
import { newUser } from '../domain/user.js';
import { issueLoginToken } from './login-token.js';
import { auditedUser, publishAudit } from './audit.js';
import { limitRegistrations } from './limit-attempts.js';
import type { Deps, UnitOfWork } from './ports.js';
import { userMessage } from './user-message.js';

export type RegisterLogin = Pick<Login, 'email' | 'name'> & { readonly password: string };

export type RegisteredLogin = { readonly login: Login; readonly token: string };

/** Creates the login and its user in one commit. Of concurrent registrations with one address exactly one succeeds. */
export async function registerLogin(deps: Deps, input: RegisterLogin, ctx: Context): Promise<RegisteredLogin> {
  await limitRegistrations(deps, ctx);
  const { email, name, password } = input;
  // Before the transaction, because it takes as long as a login.
  const passwordHash = await deps.passwords.hash(password);
  const login: Login = { userId: deps.newId('usr'), email, name, passwordHash, createdAt: ctx.at };
  // The operation is stored, so its input leaves the password out.
  const operation = { name: 'registerLogin', input: { email, name }, ctx };
  await deps.perform(operation, async (tx) => {
    await insertUser(tx, login, ctx);
    if (await tx.logins.insert(login)) return login.userId;
    deps.onAttempt('registration', 'refused');
    throw new AppError('VALIDATION_ERROR', { validationErrors: ['email is already registered'] });
  });
  deps.onAttempt('registration', 'succeeded');
  ctx.log.info({ userId: login.userId }, 'login registered');
  return { login, token: issueLoginToken(deps, login, ctx) };
}

/** The person is the actor of the audit entry. */
async function insertUser(tx: UnitOfWork, { userId, email }: Login, ctx: Context): Promise<void> {
  const identity = { id: userId, marketplaceId: defaultMarketplaceId, externalUserId: userId, email };
  const user = newUser({ ...identity, type: 'BOTH', metadata: {} }, ctx.at);
  await tx.users.insertOrFind(user);
  const eventId = tx.publish(userCreated, userMessage(user));
  const entry = { action: 'USER_CREATED', resourceType: 'User', resource: user, eventId, before: null } as const;
  publishAudit(tx, { ...entry, after: auditedUser(user) }, { ...ctx, caller: { ...ctx.caller, type: 'account', id: userId } });
}

import type { Context } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import type { AccountDeps } from './account-ports.js';
import { issueAccountToken } from './account-token.js';
import { forgetLogins, limitLogins } from './limit-attempts.js';
import type { Deps } from './ports.js';
import type { RegisteredAccount } from './register-account.js';

type LogInDeps = AccountDeps & Pick<Deps, 'secrets'>;

export type LogIn = { readonly email: string; readonly password: string };

/** The same work and text for an unknown address and a wrong password. A suspended user can log in, and read. */
export async function logIn(deps: LogInDeps, { email, password }: LogIn, ctx: Context): Promise<RegisteredAccount> {
  await limitLogins(deps, email, ctx);
  const account = await deps.accounts.findByEmail(email);
  const isRight = await deps.passwords.isRight(account?.passwordHash, password);
  if (account === undefined || !isRight) {
    deps.onAttempt('login', 'refused');
    throw new AppError('UNAUTHORIZED');
  }
  await forgetLogins(deps, email, ctx);
  deps.onAttempt('login', 'succeeded');
  ctx.log.info({ userId: account.userId }, 'logged in');
  return { account, token: issueAccountToken(deps, account, ctx) };
}

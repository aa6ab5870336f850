import type { Context } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import type { LoginDeps } from './login-ports.js';
import { issueLoginToken } from './login-token.js';
import { forgetLogins, limitLogins } from './limit-attempts.js';
import type { Deps } from './ports.js';
import type { RegisteredLogin } from './register-login.js';

type LogInDeps = LoginDeps & Pick<Deps, 'secrets'>;

export type LogIn = { readonly email: string; readonly password: string };

/** The same work and text for an unknown address and a wrong password. A suspended user can log in, and read. */
export async function logIn(deps: LogInDeps, { email, password }: LogIn, ctx: Context): Promise<RegisteredLogin> {
  await limitLogins(deps, email, ctx);
  const login = await deps.logins.findByEmail(email);
  const isRight = await deps.passwords.isRight(login?.passwordHash, password);
  if (login === undefined || !isRight) {
    deps.onAttempt('login', 'refused');
    throw new AppError('UNAUTHORIZED');
  }
  await forgetLogins(deps, email, ctx);
  deps.onAttempt('login', 'succeeded');
  ctx.log.info({ userId: login.userId }, 'logged in');
  return { login, token: issueLoginToken(deps, login, ctx) };
}

import { toEpochMs, type Context } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import type { AttemptAction, AttemptOutcome } from './login-ports.js';
import type { Deps } from './ports.js';

type AttemptDeps = Pick<Deps, 'loginAttempts' | 'secrets' | 'onAttempt'>;

type Limit = { readonly subject: string; readonly countMax: number; readonly outcome: AttemptOutcome };

const windowSeconds = 900;

/** Attempts with one login within a window, from one address and from all of them. */
const loginMax = { fromAddress: 10, fromAll: 100 } as const;

/** Counts a registration; 429 beyond the limit of its address. */
export async function limitRegistrations(deps: AttemptDeps, ctx: Context): Promise<void> {
  const subject = `registrations from ${addressOf(ctx)}`;
  await count(
    deps,
    { action: 'registration', ctx },
    { subject, countMax: deps.loginAttempts.perAddressMax, outcome: 'address_limited' },
  );
}

/**
 * Counts an attempt to log in before the password is verified, so that concurrent attempts cannot exceed a limit; 429 beyond it. An attempt
 * that one limit refuses is not counted for the next. So an address that guesses only uses up its own attempts with a login, and the owner
 * can log in from elsewhere. E-mail addresses without a login are counted, too, so that a limit does not reveal which ones exist.
 */
export async function limitLogins(deps: AttemptDeps, email: string, ctx: Context): Promise<void> {
  const { address, loginFromAddress, login } = subjectsOf(email, ctx);
  const attempt = { action: 'login', ctx } as const;
  await count(deps, attempt, { subject: address, countMax: deps.loginAttempts.perAddressMax, outcome: 'address_limited' });
  await count(deps, attempt, { subject: loginFromAddress, countMax: loginMax.fromAddress, outcome: 'login_limited' });
  await count(deps, attempt, { subject: login, countMax: loginMax.fromAll, outcome: 'login_limited' });
}

/**
 * A successful login shows that the earlier attempts were the owner's. The address only gets this attempt back; otherwise an attacker who
 * has a login could reset the count and keep guessing.
 */
export async function forgetLogins({ loginAttempts, secrets }: AttemptDeps, email: string, ctx: Context): Promise<void> {
  const { address, loginFromAddress, login } = subjectsOf(email, ctx);
  await Promise.all([
    loginAttempts.forget(secrets.hash(loginFromAddress)),
    loginAttempts.forget(secrets.hash(login)),
    loginAttempts.giveBack(secrets.hash(address)),
  ]);
}

/** The address of the client contains no space, so that no e-mail address leads to the subject of another one. */
function subjectsOf(email: string, ctx: Context) {
  const from = addressOf(ctx);
  return { address: `logins from ${from}`, loginFromAddress: `logins from ${from} to ${email}`, login: `logins to ${email}` };
}

/** The gateway sends it with every attempt. Without it all attempts count together. */
function addressOf({ clientAddress = 'nowhere' }: Context): string {
  return clientAddress;
}

type Attempt = { readonly action: AttemptAction; readonly ctx: Context };

async function count(deps: AttemptDeps, { action, ctx }: Attempt, { subject, countMax, outcome }: Limit): Promise<void> {
  const window = { at: ctx.at, windowSeconds };
  const counted = await deps.loginAttempts.count(deps.secrets.hash(subject), window);
  if (counted.count <= countMax) return;
  deps.onAttempt(action, outcome);
  const retryAfter = Math.max(1, Math.ceil((toEpochMs(counted.windowEndsAt) - toEpochMs(ctx.at)) / 1_000));
  throw new AppError('RATE_LIMITED', { retryAfter }, { message: `Too many attempts; try again in ${retryAfter} seconds.` });
}

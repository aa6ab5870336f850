import type { Context, Instant } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import { isId, type TopupId, type UserId } from '@holdfast/kernel/ids';
import { formatUnits, parseMoney, type Currency, type Money } from '@holdfast/kernel/money';
import type { KnownUser } from '@holdfast/service-kit/known-users';
import { applyChange, originOfRequest } from '@holdfast/sagas';
import { newTopup, type Topup } from '../domain/topup.js';
import { topupKind } from './aggregate-kinds.js';
import { getTopup } from './get-topup.js';
import type { Deps, UnitOfWork } from './ports.js';
import { requireWithinRate } from './require-within-rate.js';
import { insertPayinIntent } from './run-payin-intent.js';
import { creation } from './topup-changes.js';
import { waitForIntents } from './payment-waits.js';

export type CreateTopup = {
  readonly userId: string;
  readonly amount: string;
  readonly currency: Currency;
  readonly description?: string | undefined;
  readonly returnUrl?: string | undefined;
  readonly cancelUrl?: string | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
};

/** Stores the top-up with the intent that creates its pay-in, then waits for the provider. A repeat waits for the first top-up. */
export async function createTopup(deps: Deps, input: CreateTopup, ctx: Context): Promise<Topup> {
  deps.runs.requireAccepting();
  requireAllowedHosts(deps, input);
  const userId = userIdOf(input.userId);
  const user = await deps.users.require({ marketplaceId: ctx.caller.marketplaceId, userId, requestId: ctx.requestId });
  const now = await deps.testClocks.timeAt(user.marketplaceId, ctx.at);
  const { id } = await deps.perform({ name: 'createTopup', input, ctx }, (tx) => insert(deps, tx, { input, user, now }, ctx));
  await waitForIntents(deps, id, { topupId: id });
  return requireAccepted(await getTopup(deps, { id }, ctx));
}

function userIdOf(userId: string): UserId {
  if (!isId(userId, 'usr')) throw new AppError('USER_NOT_FOUND', { userId });
  return userId;
}

function requireAllowedHosts({ settings }: Deps, { returnUrl, cancelUrl }: CreateTopup): void {
  const { redirectHosts } = settings;
  if (redirectHosts === undefined) return;
  const faults = Object.entries({ returnUrl, cancelUrl })
    .filter(([, url]) => url !== undefined && !redirectHosts.includes(new URL(url).host))
    .map(([field]) => `${field} must be a URL of one of the hosts ${redirectHosts.join(', ')}`);
  if (faults.length > 0) throw new AppError('VALIDATION_ERROR', { validationErrors: faults });
}

type Given = {
  readonly input: CreateTopup;
  readonly user: KnownUser;
  /** The time of the marketplace, from which on the top-up has its time. */
  readonly now: Instant;
};

async function insert(deps: Deps, tx: UnitOfWork, { input, user, now }: Given, ctx: Context): Promise<{ readonly id: TopupId }> {
  const { id: userId, marketplaceId } = user;
  const amount = parseMoney(input.amount, input.currency);
  if (user.status !== 'ACTIVE') throw new AppError('USER_NOT_ACTIVE', { userId });
  const account = await tx.accounts.lock(marketplaceId, userId);
  if (account === undefined) throw new AppError('PAYMENT_ACCOUNT_NOT_LINKED', { userId });
  requireWithinLimits(deps, amount);
  await requireWithinRate({
    limit: deps.settings.topupsPerMinuteMax,
    at: ctx.at,
    createdSince: (since) => tx.topups.createdSince(marketplaceId, userId, since),
  });
  const { description = null, returnUrl = null, cancelUrl = null, metadata = {} } = input;
  const given = { id: tx.newId('topup'), marketplaceId, userId, amount, description, returnUrl, cancelUrl, metadata };
  const topup = newTopup({ ...given, now }, ctx.at);
  const inserted = applyChange(tx, newTopupKind, topup, { change: creation(topup), origin: originOfRequest(ctx) });
  insertPayinIntent(tx, 'create-payin', inserted, ctx);
  return { id: inserted.id };
}

const newTopupKind: typeof topupKind = { ...topupKind, save: (tx, topup) => tx.topups.insert(topup) };

function requireWithinLimits({ settings }: Deps, { units, currency }: Money): void {
  const { minUnits, maxUnits } = settings.topupLimits;
  if (units >= minUnits && units <= maxUnits) return;
  throw new AppError('LIMIT_EXCEEDED', { min: formatUnits(minUnits), max: formatUnits(maxUnits), currency });
}

/** Without a confirmation page there never was anything to confirm: the provider has refused the payment. */
function requireAccepted(topup: Topup): Topup {
  const { id, status, confirmationUri, failureReason, errorCode } = topup;
  if (status !== 'TOPUP_FAILED' || confirmationUri !== null) return topup;
  throw new AppError('PAYMENT_REFUSED', { topupId: id, reason: failureReason, ...(errorCode === null ? {} : { errorCode }) });
}

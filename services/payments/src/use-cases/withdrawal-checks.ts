import type { WithdrawalDestination } from '@holdfast/contracts/http';
import type { Context } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import { isId, type UserId } from '@holdfast/kernel/ids';
import { formatUnits, type Money } from '@holdfast/kernel/money';
import { isLedgerAddress } from '../domain/ledger-address.js';
import type { Deps } from './ports.js';
import { requireNoHold } from './require-no-hold.js';

export type WantedWithdrawal = {
  readonly userId: string;
  readonly amount: Money;
  readonly destination: WithdrawalDestination;
};

/** What a new withdrawal needs besides the request. */
export type CheckedWithdrawal = { readonly userId: UserId; readonly destinationRef: string };

/** The checks of a new withdrawal, in the order of the specification. */
export async function checkWithdrawal(deps: Deps, wanted: WantedWithdrawal, ctx: Context): Promise<CheckedWithdrawal> {
  const userId = await requireActiveUser(deps, wanted.userId, ctx);
  await requireNoHold(deps, userId, ctx);
  const { destinationRef, payoutUnitsMax } = await requireDestination(deps, userId, wanted.destination, ctx);
  await requireWithinLimits(deps, { userId, amount: wanted.amount }, ctx);
  requireWithinCap(wanted.amount, payoutUnitsMax);
  return { userId, destinationRef };
}

/** USER_NOT_FOUND or USER_NOT_ACTIVE. */
export async function requireActiveUser(deps: Deps, userId: string, { caller, requestId }: Context): Promise<UserId> {
  if (!isId(userId, 'usr')) throw new AppError('USER_NOT_FOUND', { userId });
  const { status } = await deps.users.require({ marketplaceId: caller.marketplaceId, userId, requestId });
  if (status !== 'ACTIVE') throw new AppError('USER_NOT_ACTIVE', { userId });
  return userId;
}

type Destination = {
  readonly destinationRef: string;
  /** What is paid out there within an hour at most. Undefined: no cap. */
  readonly payoutUnitsMax: bigint | undefined;
};

/** The account at the payment provider, or an address of the ledger network that is not one of the platform's own. */
async function requireDestination(
  deps: Deps,
  userId: UserId,
  { type, ref }: WithdrawalDestination,
  ctx: Context,
): Promise<Destination> {
  if (type === 'ledger') return requireForeignAddress(deps, ref ?? '', ctx);
  const account = await deps.accounts.find(ctx.caller.marketplaceId, userId);
  if (account === undefined) throw new AppError('PAYMENT_ACCOUNT_NOT_LINKED', { userId });
  return { destinationRef: ref ?? account.paymentAccountUserId, payoutUnitsMax: deps.settings.payoutUnitsMax };
}

async function requireForeignAddress(deps: Deps, address: string, ctx: Context): Promise<Destination> {
  if (!isLedgerAddress(address)) throw invalidAddress('must be a public key of the ledger network');
  // A payment to an own wallet would be credited as a deposit; the platform's accounts belong to no user.
  const { isOwn, payoutUnitsMax } = await deps.addresses.look(address, ctx);
  if (isOwn) throw invalidAddress('must not be an address of the platform');
  return { destinationRef: address, payoutUnitsMax };
}

function invalidAddress(fault: string): AppError {
  return new AppError('VALIDATION_ERROR', { validationErrors: [`destination.address ${fault}`] });
}

type OfUser = { readonly userId: UserId; readonly amount: Money };

/** The whole available balance may be below the minimum, so that no remainder stays for ever. */
async function requireWithinLimits(deps: Deps, { userId, amount }: OfUser, ctx: Context): Promise<void> {
  const { minUnits, maxUnits } = deps.settings.withdrawalLimits;
  const { units, currency } = amount;
  if (units >= minUnits && units <= maxUnits) return;
  if (units < minUnits && units === (await deps.balances.available({ userId, currency }, ctx)).units) return;
  throw new AppError('LIMIT_EXCEEDED', {
    amount: formatUnits(units),
    min: formatUnits(minUnits),
    max: formatUnits(maxUnits),
    currency,
  });
}

/** A payout above the cap of a whole hour would wait for ever. */
function requireWithinCap({ units, currency }: Money, payoutUnitsMax: bigint | undefined): void {
  if (payoutUnitsMax === undefined || units <= payoutUnitsMax) return;
  throw new AppError('LIMIT_EXCEEDED', { amount: formatUnits(units), max: formatUnits(payoutUnitsMax), currency });
}

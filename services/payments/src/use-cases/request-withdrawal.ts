import type { WithdrawalDestination } from '@holdfast/contracts/http';
import { withdrawalReserveRequested } from '@holdfast/contracts/messages';
import type { Context, Instant } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import type { SagaRunId, UserId, WithdrawalId } from '@holdfast/kernel/ids';
import { parseMoney, type Currency, type Money } from '@holdfast/kernel/money';
import { applyChange, originOfRequest } from '@holdfast/sagas';
import type { Withdrawal } from '../domain/withdrawal.js';
import { withdrawalKind } from './aggregate-kinds.js';
import { isAcknowledged } from './commit-withdrawal.js';
import type { Deps, UnitOfWork } from './ports.js';
import { requireWithinRate } from './require-within-rate.js';
import { settled } from './settled.js';
import { waitForRun, waitForWithdrawal } from './payment-waits.js';
import { checkWithdrawal, type CheckedWithdrawal, type WantedWithdrawal } from './withdrawal-checks.js';

export type CreateWithdrawal = {
  readonly userId: string;
  readonly amount: string;
  readonly currency: Currency;
  readonly destination: WithdrawalDestination;
  readonly commit: boolean;
  readonly description?: string | undefined;
};

type Started = { readonly id: WithdrawalId; readonly runId: SagaRunId };

/**
 * Stores a withdrawal and starts the saga that reserves its amount. The withdrawal is visible once that has succeeded; a refusal
 * deletes it. With `commit` the money is sent at once, and the response waits until the provider has accepted it.
 */
export async function requestWithdrawal(deps: Deps, input: CreateWithdrawal, ctx: Context): Promise<Withdrawal> {
  deps.runs.requireAccepting();
  const amount = parseMoney(input.amount, input.currency);
  const checked = await settled(check(deps, { ...input, amount }, ctx));
  const { id, runId } = await deps.perform({ name: 'create-withdrawal', input, ctx }, async (tx) => {
    // A repeated request gets here only if the first one had no effect, so only then its checks count.
    const given = { input, amount, checked: checked() };
    await requireAllowed(deps, tx, given.checked.userId, ctx);
    return start(tx, given, ctx);
  });
  await waitForRun(deps, runId, { withdrawalId: id });
  const { marketplaceId } = ctx.caller;
  return waitForWithdrawal(deps, { marketplaceId, id }, (current) => !input.commit || isAcknowledged(current));
}

type Wanted = WantedWithdrawal & Pick<CreateWithdrawal, 'commit'>;

/** A withdrawal that is not committed pays nothing out, so that it can be created while the platform is stopped. */
async function check(deps: Deps, { commit, ...wanted }: Wanted, ctx: Context): Promise<CheckedWithdrawal> {
  const checked = await checkWithdrawal(deps, wanted, ctx);
  if (commit) await deps.emergencyStop.requireNotStopped();
  return checked;
}

/** The row of the user is locked, so that concurrent requests are counted one after the other. Not everybody has a payment account. */
async function requireAllowed({ settings }: Deps, tx: UnitOfWork, userId: UserId, { caller, at }: Context): Promise<void> {
  const { marketplaceId } = caller;
  if (!(await tx.users.lock(marketplaceId, userId))) throw new AppError('USER_NOT_FOUND', { userId });
  const createdSince = (since: Instant) => tx.withdrawals.createdSince(marketplaceId, userId, since);
  await requireWithinRate({ limit: settings.withdrawalsPerMinuteMax, at, createdSince });
}

type Given = { readonly input: CreateWithdrawal; readonly amount: Money; readonly checked: CheckedWithdrawal };

const insertedKind: typeof withdrawalKind = {
  ...withdrawalKind,
  save: (tx, withdrawal) => tx.withdrawals.insert(withdrawal),
};

function start(tx: UnitOfWork, given: Given, ctx: Context): Started {
  const created = newWithdrawal(tx, given, ctx);
  const starts = { saga: 'withdraw', command: withdrawalReserveRequested } as const;
  const change = { after: created, events: [], auditEntries: [], starts } as const;
  const { id, activeRun } = applyChange(tx, insertedKind, created, { change, origin: originOfRequest(ctx) });
  if (activeRun === null) throw new Error('A new withdrawal has no saga run.');
  return { id, runId: activeRun.runId };
}

function newWithdrawal(tx: UnitOfWork, { input, amount, checked }: Given, { caller, at }: Context): Withdrawal {
  return {
    id: tx.newId('wd'),
    marketplaceId: caller.marketplaceId,
    userId: checked.userId,
    amount,
    status: 'WITHDRAWAL_CREATED',
    destinationType: input.destination.type,
    destinationRef: checked.destinationRef,
    description: input.description ?? null,
    commitsAtOnce: input.commit,
    providerPayoutId: null,
    failureReason: null,
    errorCode: null,
    outcome: null,
    cancelRequest: null,
    reservedAt: null,
    committedAt: null,
    completedAt: null,
    nextPollAt: null,
    polls: 0,
    activeRun: null,
    version: 0,
    lastEventId: null,
    createdAt: at,
    updatedAt: at,
  };
}

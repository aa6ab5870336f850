import type { Intent, RunResult } from '@holdfast/intents';
import { backoffMs } from '@holdfast/kernel/async';
import { isId } from '@holdfast/kernel/ids';
import { formatMoney } from '@holdfast/kernel/money';
import { returnCodeOf, type Case } from '../domain/case.js';
import type { PayoutUpdate } from '../domain/provider-updates.js';
import { caseKind } from './aggregate-kinds.js';
import { applyChange, endRun, publishCommand } from './apply-change.js';
import { notResolved } from './handle-case-replies.js';
import { originOfProvider } from './origin.js';
import type { Deps, UnitOfWork } from './ports.js';
import { ProviderRefused } from './provider-ports.js';

type Returning = { readonly found: Case; readonly intent: Intent; readonly signal: AbortSignal };

/** What the payment provider has said: the status of the payout, or that it refuses it for good. */
type Learned = PayoutUpdate | { readonly refusal: string };

/** A payout may wait for its recipient for days. */
const statusPolls = { firstDelayMs: 250, delayMsMax: 600_000 } as const;

/**
 * Sends the money of a case back to the account it came from. The saga run is open from the decision on: it continues with the
 * ledger once the payout is completed, and fails if the payout does. While its outcome is unknown the intent is retried.
 */
export async function returnCase(deps: Deps, intent: Intent, signal: AbortSignal): Promise<RunResult> {
  const { subject, marketplaceId } = intent;
  const found = isId(subject, 'rcc') ? await deps.cases.find(marketplaceId, subject) : undefined;
  if (found === undefined) throw new Error(`There is no case ${subject}.`);
  const learned = await learn(deps, { found, intent, signal });
  if (!isFinal(learned)) return { retryInMs: backoffMs(intent.attempts + 1, statusPolls) };
  await deps.inTransaction(async (tx) => {
    await tx.intents.close(intent, deps.clock.now());
    await writeOutcome(deps, tx, intent, learned);
  });
  return 'closed';
}

const finalOutcomes: readonly PayoutUpdate['outcome'][] = ['completed', 'failed', 'canceled'];

function isFinal(learned: Learned): boolean {
  return 'refusal' in learned || finalOutcomes.includes(learned.outcome);
}

async function learn(deps: Deps, returning: Returning): Promise<Learned> {
  const payout = await findOrCreate(deps, returning);
  if ('refusal' in payout || payout.outcome !== 'created') return payout;
  if (payout.amount !== undefined && payout.amount.units !== returning.found.amount.units)
    return callOff(deps, returning, payout, 'The payment provider has changed the amount.');
  return commit(deps, returning, payout);
}

/** A first attempt creates the payout; any other looks it up before, because the outcome of an earlier call may be unknown. */
async function findOrCreate(deps: Deps, returning: Returning): Promise<Learned> {
  const { found, intent, signal } = returning;
  const code = returnCodeOf(found);
  const earlier = intent.isFresh ? undefined : await deps.provider.findPayoutByCode(code, signal);
  if (earlier !== undefined) return earlier;
  try {
    return await create(deps, returning, code);
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error;
    return (await deps.provider.findPayoutByCode(code, signal)) ?? { refusal: error.message };
  }
}

async function create(deps: Deps, { found, signal }: Returning, code: string): Promise<PayoutUpdate> {
  const { marketplaceId, userId, amount } = found;
  const account = userId === null ? undefined : await deps.accounts.find(marketplaceId, userId);
  if (account === undefined) throw new ProviderRefused(null, 'The user has no payment account.');
  await deps.emergencyStop.assertNotStopped();
  const notes = `Return of a payment of ${formatMoney(amount)} ${amount.currency}`;
  return deps.provider.createPayout({ code, email: account.email, amount, notes, internalNote: null }, signal);
}

/** After a refused commit the status tells whether an earlier commit has succeeded. */
async function commit(deps: Deps, returning: Returning, payout: PayoutUpdate): Promise<Learned> {
  await deps.payoutCap.begin(returnCodeOf(returning.found), returning.found.amount.units);
  await deps.emergencyStop.assertNotStopped();
  try {
    await deps.provider.commitPayout(payout.providerId, returning.signal);
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error;
    const current = await requirePayout(deps, returning, payout);
    return current.outcome === 'created' ? callOff(deps, returning, payout, error.message) : current;
  }
  return requirePayout(deps, returning, payout);
}

/** A payout that must not be sent is canceled first, so that nobody can commit it later. */
async function callOff(deps: Deps, returning: Returning, payout: PayoutUpdate, refusal: string): Promise<Learned> {
  await deps.provider.cancelPayout(payout.providerId, returning.signal);
  const current = await requirePayout(deps, returning, payout);
  return current.outcome === 'canceled' ? { refusal } : current;
}

async function requirePayout(deps: Deps, { signal }: Returning, { providerId }: PayoutUpdate): Promise<PayoutUpdate> {
  const payout = await deps.provider.findPayout(providerId, signal);
  if (payout === undefined) throw new Error(`The payment provider does not find the payout ${providerId}.`);
  return payout;
}

async function writeOutcome(deps: Deps, tx: UnitOfWork, intent: Intent, learned: Learned): Promise<void> {
  const found = isId(intent.subject, 'rcc') ? await tx.cases.lock(intent.subject) : undefined;
  if (found === undefined || found.activeRun === null || found.activeRun.runId !== intent.sagaRunId) return;
  const { runId, saga } = found.activeRun;
  const origin = { ...originOfProvider(deps.clock.now(), intent.correlationId), run: { runId, saga } };
  if ('refusal' in learned || learned.outcome !== 'completed') {
    const reason = 'refusal' in learned ? learned.refusal : (learned.reason?.text ?? 'The payout failed.');
    const outcome = { status: 'failed', code: 'PAYMENT_ACCOUNT_INVALID', details: { reason } } as const;
    endRun(tx, caseKind, found, { change: { ...notResolved(found, reason), outcome }, origin });
    return;
  }
  const { status } = found;
  const entry = { action: 'CASE_MONEY_RETURNED', before: { status }, after: { status, providerPayoutId: learned.providerId } };
  const after = { ...found, providerPayoutId: learned.providerId };
  publishCommand(
    tx,
    caseKind,
    applyChange(tx, caseKind, found, { change: { after, events: [], auditEntries: [entry] }, origin }),
    origin,
  );
}

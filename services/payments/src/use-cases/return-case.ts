import type { Intent, RunResult } from '@holdfast/intents';
import { backoffMs } from '@holdfast/kernel/async';
import { isId } from '@holdfast/kernel/ids';
import { formatMoney } from '@holdfast/kernel/money';
import { applyChange, endRun, publishCommand } from '@holdfast/sagas';
import { returnCodeOf, type Case } from '../domain/case.js';
import type { PayoutUpdate } from '../domain/provider-updates.js';
import { caseKind } from './aggregate-kinds.js';
import { cancelPayout } from './cancel-payout.js';
import { executePayout, type PayoutResult } from './execute-payout.js';
import { notResolved } from './handle-case-replies.js';
import { originOfProvider } from './origin.js';
import type { Deps, UnitOfWork } from './ports.js';
import { ProviderRefused, type NewPayout, type ProviderCall } from './provider-ports.js';
import { payerUnknown } from './require-payer.js';

/** A payout may wait for its recipient for days. */
const statusPolls = { firstDelayMs: 250, delayMsMax: 600_000 } as const;

/**
 * Sends the money of a case back to the payer, whom the payment provider names. The saga run is open from the decision on: it continues with the
 * ledger once the payout is completed, and fails if the payout does. While its outcome is unknown the intent is retried.
 */
export async function returnCase(deps: Deps, intent: Intent, signal: AbortSignal): Promise<RunResult> {
  const { subject, marketplaceId } = intent;
  const found = isId(subject, 'rcc') ? await deps.cases.find(marketplaceId, subject) : undefined;
  if (found === undefined) throw new Error(`There is no case ${subject}.`);
  const call = { marketplaceId, signal };
  const canceled = { code: returnCodeOf(found), providerPayoutId: null };
  const isCanceled = intent.workerState['isCancelRequested'] === true;
  const result = isCanceled ? await cancelPayout(deps, canceled, call) : await payBack(deps, found, intent, call);
  if (!isFinal(result)) return { retryInMs: backoffMs(intent.attempts + 1, statusPolls) };
  await deps.inTransaction(async (tx) => {
    await tx.intents.close(intent, deps.clock.now());
    await writeOutcome(deps, tx, intent, result);
  });
  return 'closed';
}

/** A payer who is not named any more gets nothing new; an earlier attempt may have begun a payout. */
async function payBack(deps: Deps, found: Case, intent: Intent, call: ProviderCall): Promise<PayoutResult> {
  const payer = (await deps.provider.findPayin(found.sourceId, call))?.payerEmail;
  if (payer !== undefined)
    return executePayout(deps, { payout: payoutOf(found, payer), lease: intent, isFirstAttempt: intent.isFresh, call });
  const earlier = intent.isFresh ? undefined : await deps.provider.findPayoutByCode(returnCodeOf(found), call);
  return earlier ?? { refusal: new ProviderRefused(null, payerUnknown) };
}

const finalOutcomes: readonly PayoutUpdate['outcome'][] = ['completed', 'failed', 'canceled'];

function isFinal(result: PayoutResult): boolean {
  return 'refusal' in result || finalOutcomes.includes(result.outcome);
}

function payoutOf(found: Case, email: string): NewPayout {
  const { amount } = found;
  const notes = `Return of a payment of ${formatMoney(amount)} ${amount.currency}`;
  return { code: returnCodeOf(found), email, amount, notes, internalNote: null };
}

async function writeOutcome(deps: Deps, tx: UnitOfWork, intent: Intent, result: PayoutResult): Promise<void> {
  const found = isId(intent.subject, 'rcc') ? await tx.cases.lock(intent.subject) : undefined;
  if (found === undefined || found.activeRun === null || found.activeRun.runId !== intent.sagaRunId) return;
  const { runId, saga } = found.activeRun;
  const origin = { ...originOfProvider(deps.clock.now(), intent.correlationId), run: { runId, saga } };
  if ('refusal' in result || result.outcome !== 'completed') {
    const reason = 'refusal' in result ? result.refusal.message : (result.reason?.text ?? 'The payout failed.');
    const failure = { code: 'PAYMENT_ACCOUNT_INVALID', details: { reason } } as const;
    endRun(tx, caseKind, found, { change: { ...notResolved(found, reason), failure }, origin });
    return;
  }
  const { status } = found;
  const { providerId: providerPayoutId } = result;
  const entry = { action: 'CASE_MONEY_RETURNED', before: { status }, after: { status, providerPayoutId } };
  const change = { after: { ...found, providerPayoutId }, events: [], auditEntries: [entry] };
  const returned = applyChange(tx, caseKind, found, { change, origin });
  // The run was started without its command, which the ledger gets now that the money has left.
  publishCommand(tx, caseKind, returned, origin);
}

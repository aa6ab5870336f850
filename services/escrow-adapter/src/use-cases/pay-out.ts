import {
  stepMessageIds,
  withdrawalLedgerPayoutFailed,
  withdrawalLedgerPayoutLanded,
  withdrawalLedgerPayoutRequested,
  type MessageDeclaration,
  type Payload,
} from '@holdfast/contracts/messages';
import type { Intent, RunResult } from '@holdfast/intents';
import { payoutMemoHash } from '@holdfast/kernel/ids';
import { parseMoney } from '@holdfast/kernel/money';
import { planPayout, type Payout } from '../domain/payout.js';
import { awaitOperator, inSession } from './close-intent.js';
import { findEarlierPayout, type EarlierPayout } from './find-earlier-payout.js';
import { isCancelRequested } from './request-payout-cancellation.js';
import { provedPayment } from './resolve-payout.js';
import type { Deps, IntentReplyType } from './ports.js';
import type { Payment } from '@holdfast/ledger-network/values';
import type { Signer, TransactionResult, TransactionSession } from '@holdfast/ledger-network/submission';

type PayoutRequest = Payload<typeof withdrawalLedgerPayoutRequested>;

type PayoutRun = {
  readonly intent: Intent;
  readonly signal: AbortSignal;
  readonly session: TransactionSession;
  readonly request: PayoutRequest;
};

/** No request waits for a payout, so it fails only after about ten minutes of runs that could not pay. */
const attemptsMax = 60;
const continueSearch: RunResult = { retryInMs: 100, isUncounted: true };
const canceledReason = 'the withdrawal was canceled before it was paid';
const unpaidReason = 'the ledger network could not be reached in time, or the treasury does not hold enough';

/** Pays a withdrawal to its address: from the user's wallet if it holds enough, else from the treasury. */
export async function payOut(deps: Deps, { intent, signal }: Pick<PayoutRun, 'intent' | 'signal'>): Promise<RunResult> {
  const request = withdrawalLedgerPayoutRequested.payload.parse(intent.payload);
  const run: PayoutRun = { intent, signal, request, session: deps.transactions.session(intent, signal) };
  return inSession(run, async () => {
    const [earlier] = (await run.session.resume()).toSorted((one, other) => weightOf(one) - weightOf(other));
    const proved = isDecided(earlier) ? undefined : await provedPayment(deps, intent, request);
    if (proved !== undefined) return succeed(deps, run, proved);
    if (earlier !== undefined && earlier.status !== 'expired') return afterPayment(deps, run, earlier);
    return pay(deps, run);
  });
}

/** The outcome of one of our own payments outweighs what an operator has proved, and one that may still land is awaited. */
function isDecided(earlier: TransactionResult | undefined): boolean {
  return earlier !== undefined && earlier.status !== 'expired' && earlier.status !== 'mismatched';
}

/** A payment that has landed decides, then one that may still land. */
function weightOf({ status }: TransactionResult): number {
  return ['landed', 'mismatched', 'unknown', 'failed', 'expired'].indexOf(status);
}

async function pay(deps: Deps, run: PayoutRun): Promise<RunResult> {
  const { amount, currency, address } = run.request;
  if (await deps.wallets.isOwnAddress(address)) return fail(deps, run, 'the address belongs to this platform');
  const payout = {
    amount: parseMoney(amount, currency),
    to: address,
    memoHash: payoutMemoHash(run.request.withdrawalId),
  };
  const earlier = await findEarlierPayout(deps, run.request, payout);
  return earlier.status === 'none' ? payNow(deps, run, payout) : afterLookUp(deps, run, earlier);
}

function afterLookUp(
  deps: Deps,
  run: PayoutRun,
  earlier: Exclude<EarlierPayout, { readonly status: 'none' }>,
): Promise<RunResult> {
  switch (earlier.status) {
    case 'paid':
      return succeed(deps, run, earlier.transactionHash);
    case 'searching':
      return Promise.resolve(continueSearch);
    case 'unclear':
      return Promise.resolve(awaitOperator);
  }
}

/** Only after the look-up: a payout that was paid before must neither fail nor be canceled, because its amount would be paid twice. */
async function payNow(deps: Deps, run: PayoutRun, payout: Payout): Promise<RunResult> {
  if (isCancelRequested(run.intent)) return fail(deps, run, canceledReason);
  if (run.intent.attempts >= attemptsMax) return fail(deps, run, unpaidReason);
  const plan = planPayout(payout, await deps.network.account(payout.to));
  if (plan.status === 'impossible') return fail(deps, run, plan.reason);
  const own = await payFromWallet(deps, run, plan.payment);
  const result = own ?? (await payFromTreasury(deps, run, plan.payment));
  // A node that lags may not have had the account, which then exists. The failed payment has moved nothing; the next run reads again.
  if (result.status === 'failed' && plan.payment.isNewAccount) return {};
  return afterPayment(deps, run, result);
}

/** Undefined where the wallet does not hold enough. The stored holdings may lag behind the network, which is read when building. */
async function payFromWallet(deps: Deps, run: PayoutRun, payment: Payment): Promise<TransactionResult | undefined> {
  const { userId } = run.request;
  const { marketplaceId } = run.intent;
  if ((await deps.wallets.holdingsOf(userId, payment.asset)) < payment.units) return undefined;
  const address = await deps.wallets.addressOf(userId, marketplaceId);
  const result = await submit(deps, run, payment, [{ role: { wallet: userId }, address }]);
  return result.status === 'not-built' && result.isRefusal ? undefined : result;
}

async function payFromTreasury(deps: Deps, run: PayoutRun, payment: Payment): Promise<TransactionResult> {
  const payers = await deps.wallets.treasuryPayers(payment);
  if (payers.length === 0) return { status: 'not-built', isRefusal: true, reason: 'the treasury does not hold enough' };
  return submit(deps, run, payment, payers);
}

function submit(
  { payments }: Deps,
  { request, session }: PayoutRun,
  payment: Payment,
  signers: readonly Signer[],
): Promise<TransactionResult> {
  const { to, asset, units } = payment;
  return session.execute({
    step: 'payout',
    requestText: `payout ${request.withdrawalId} ${to} ${asset} ${units}`,
    signers,
    spends: { asset, units },
    build: ({ address }) => payments.build(address, payment),
    expect: ({ address }) => payments.expect(address, payment),
  });
}

/** A payment that has failed on the network is final. One that has expired or could not be built is tried again by the next run. */
function afterPayment(deps: Deps, run: PayoutRun, result: TransactionResult): Promise<RunResult> {
  switch (result.status) {
    case 'landed':
      return succeed(deps, run, result.transaction.hash);
    case 'failed':
      return fail(deps, run, result.reason);
    case 'unknown':
      return Promise.resolve(deps.deadlines.retryLater(run.intent));
    case 'expired':
      return Promise.resolve({});
    case 'refused':
      deps.onSigningRefused('payout');
      deps.log.error({ withdrawalId: run.request.withdrawalId, mismatch: result.mismatch }, 'signing refused');
      return Promise.resolve({});
    case 'mismatched':
      return Promise.resolve(awaitOperator);
    case 'not-built':
      deps.log.warn({ intentId: run.intent.id, withdrawalId: run.request.withdrawalId, reason: result.reason }, 'payout waits');
      return Promise.resolve({});
  }
}

function succeed(deps: Deps, run: PayoutRun, transactionHash: string): Promise<RunResult> {
  return close(deps, run, withdrawalLedgerPayoutLanded, { ...run.request, transactionHash });
}

function fail(deps: Deps, run: PayoutRun, reason: string): Promise<RunResult> {
  return close(deps, run, withdrawalLedgerPayoutFailed, { ...run.request, reason });
}

/** One commit: the transaction, the reply in the outbox, and the closed intent. */
async function close<M extends MessageDeclaration & { readonly type: IntentReplyType<'payout'> }>(
  deps: Deps,
  { intent, session, request: { withdrawalId } }: PayoutRun,
  declaration: M,
  payload: Payload<M>,
): Promise<'closed'> {
  const { kind, marketplaceId, correlationId, saga, sagaRunId, afterEventId } = intent;
  const messageId = stepMessageIds({ cause: sagaRunId ?? intent.id, name: kind, at: intent.requestedAt });
  await deps.inTransaction(async (tx) => {
    await deps.intents.lock(tx, intent);
    await session.record(tx);
    const reply = deps.publishPayoutReply(tx, {
      id: messageId(declaration.type),
      declaration,
      payload,
      withdrawalId,
      marketplaceId,
      correlationId,
      causationId: afterEventId,
      afterEventId,
      ...(saga === undefined ? {} : { saga }),
      ...(sagaRunId === undefined ? {} : { sagaRunId }),
    });
    await deps.intents.close(tx, intent, { replies: [reply], at: deps.clock.now() });
  });
  deps.log.info({ intentId: intent.id, withdrawalId, reply: declaration.type }, 'payout closed');
  return 'closed';
}

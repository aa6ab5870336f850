import { withdrawRemainingFunds } from '@holdfast/contracts/http';
import { auditRecorded } from '@holdfast/contracts/messages';
import type { TransactionResult } from '@holdfast/ledger-network/submission';
import type { RunResult } from '@holdfast/intents';
import type { DeployedContract } from '../domain/contract.js';
import { changedContract } from '../domain/contract-change.js';
import { isSettled } from '../domain/plan.js';
import { nameOf, type Step } from '../domain/steps.js';
import {
  awaitOperator,
  buildOptionsOf,
  hasUsedAllAttempts,
  inSession,
  unreachableReason,
  type IntentContext,
  type IntentRun,
} from './close-intent.js';
import type { Deps } from './ports.js';
import { tryReadState } from './read-state.js';
import { reportRefusedSigning } from './report-refused-signing.js';
import { requireDeployed } from './require-contract.js';

/** The person who has requested it, and the reason. */
export type RemainingWithdrawal = { readonly by: string; readonly reason: string };

type Run = IntentRun<'withdraw-remaining'> & { readonly contract: DeployedContract; readonly withdrawal: RemainingWithdrawal };

/** Pays what a settled contract still holds to the platform's account. Its fees are taken once more, by the provider and by the platform. */
export async function withdrawRemaining(deps: Deps, context: IntentContext<'withdraw-remaining'>): Promise<RunResult> {
  const { intent, signal } = context;
  const contract = requireDeployed(context.contract);
  const withdrawal = withdrawRemainingFunds.body.parse(intent.payload);
  const run = { ...context, session: deps.transactions.session(intent, signal), contract, withdrawal };
  return inSession(run, async () => {
    const [earlier] = (await run.session.resume()).filter(({ status }) => isOver(status) || status === 'unknown');
    if (earlier !== undefined) return afterPayout(deps, run, earlier);
    if (hasUsedAllAttempts(intent)) return close(deps, run, { failure: unreachableReason });
    return payOutRest(deps, run);
  });
}

function isOver(status: TransactionResult['status']): boolean {
  return status === 'landed' || status === 'mismatched';
}

async function payOutRest(deps: Deps, run: Run): Promise<RunResult> {
  const { contract, session, signal } = run;
  const { contractId, type, addresses } = contract;
  const read = await tryReadState(deps, contract, { signal });
  if ('reason' in read) return read.isFinal ? close(deps, run, { failure: read.reason }) : deps.deadlines.retryLater(run.intent);
  if (!isSettled(contract, read.state)) return close(deps, run, { failure: 'the contract has not paid out every milestone' });
  const units = read.state.balanceUnits;
  if (units === 0n) return close(deps, run, { failure: 'the contract holds nothing any more' });
  const step: Step = { does: 'withdrawRemaining', distributions: [{ to: 'platform', units }] };
  const result = await session.execute({
    step: nameOf(step),
    requestText: `${nameOf(step)} ${contractId} ${units}`,
    signers: [{ role: 'platform', address: addresses.platform }],
    build: () => deps.provider.buildStep({ contractId, type, addresses }, step, buildOptionsOf(run)),
    expect: () => deps.expectations.step(contract, step),
  });
  return afterPayout(deps, run, result);
}

async function afterPayout(deps: Deps, run: Run, result: TransactionResult): Promise<RunResult> {
  switch (result.status) {
    case 'landed':
      return close(deps, run, { transactionHash: result.transaction.hash, ledger: result.ledger });
    case 'unknown':
      return deps.deadlines.retryLater(run.intent);
    case 'mismatched':
      return awaitOperator;
    case 'expired':
      // The next run builds a new transaction.
      return {};
    case 'not-built':
      return result.isRefusal ? close(deps, run, { failure: result.reason }) : deps.deadlines.retryLater(run.intent);
    case 'failed':
      return close(deps, run, { failure: result.reason });
    case 'refused':
      return close(deps, run, { failure: await reportRefusedSigning(deps, run, result) });
  }
}

type End = { readonly transactionHash: string; readonly ledger: number } | { readonly failure: string };

/** One commit: the transaction, the audit entry and the closed intent. The operator may request it again after a failure. */
async function close(deps: Deps, { intent, contract, session, withdrawal }: Run, end: End): Promise<'closed'> {
  const { escrowId, orderId, marketplaceId, contractId } = contract;
  const at = deps.clock.now();
  await deps.inTransaction(async (tx) => {
    const current = await deps.intents.lockWithContract(tx, intent);
    const changed = changedContract(current, 'failure' in end ? {} : { lastLedger: end.ledger });
    await session.record(tx);
    await deps.publish(tx, {
      id: deps.newId('evt'),
      version: changed.version,
      declaration: auditRecorded,
      escrowId,
      marketplaceId,
      correlationId: intent.correlationId,
      payload: {
        action: 'REMAINING_FUNDS_WITHDRAWN',
        resourceType: 'Order',
        resourceId: orderId,
        relatedIds: [escrowId],
        actorType: 'operator',
        actorId: withdrawal.by,
        ...('failure' in end ? { result: 'FAILURE', reason: end.failure } : { result: 'SUCCESS', reason: withdrawal.reason }),
        before: null,
        after: { contractId, ...('failure' in end ? {} : { transactionHash: end.transactionHash }) },
        recordedAt: at,
      },
    });
    await deps.intents.closeWithContract(tx, intent, { replies: [], at }, [current, changed]);
  });
  deps.log.info({ intentId: intent.id, escrowId, orderId, ...end }, 'withdrawal of remaining funds ended');
  return 'closed';
}

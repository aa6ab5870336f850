import { toEpochMs, type Context } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import type { OrderId } from '@holdfast/kernel/ids';
import { parseMoney } from '@holdfast/kernel/money';
import type { Tx } from '@holdfast/postgres';
import type { DeployedContract } from '../domain/contract.js';
import { landedStep, paysOut, type SettlementStep } from '../domain/steps.js';
import { writeCompletion, type Completion, type IntentCompletion } from './close-intent.js';
import { addressesOf } from './deploy-contract.js';
import { created, creationFailed, funded, fundingFailed, settled, settlementFailed } from './intent-completions.js';
import { payoutIn, requestCorrection } from './payout-correction.js';
import type { IntentReplyType, SagaIntentKind } from './ports.js';
import { publishResolutionAudit } from './resolution-audit.js';
import type { IntentOfRun, Resolution, ResolutionDeps, ResolveRun } from './resolution-ports.js';
import { refuse, requireProof } from './resolution-proof.js';
import { requireDeployed } from './require-contract.js';
import { settlementRequestOf } from './settlement-request.js';

export type ResolvedRun = Pick<Resolution, 'outcome' | 'requestedBy' | 'approvedBy'> & {
  readonly status: 'RESOLVED' | 'PENDING_APPROVAL';
  readonly orderId: OrderId;
};

/**
 * Ends the step of a saga run because an operator knows its outcome. It closes the open intent with its ordinary reply, or requests that
 * the ledger records a payout that it has refused. Money moves only in the steps and compensations that follow. Above a certain amount, the
 * first call stores the request and another person confirms it. See ADR 0050.
 */
export async function resolveRun(deps: ResolutionDeps, input: ResolveRun, ctx: Context): Promise<ResolvedRun> {
  const { sagaRunId } = input;
  const seen = await deps.resolutions.find(sagaRunId);
  if (seen === undefined) throw new AppError('NOT_FOUND', { sagaRunId });
  if (isOver(seen)) return repeated(seen, input);
  requirePastNoReturn(deps, seen, ctx);
  // The network is read before the transaction begins.
  await requireProof(deps, seen, input);
  const deployed = await deployedBy(deps, seen, input);
  if (seen.transactions.some(({ state }) => state === 'open')) deps.intents.wake(seen.intent.id);
  const result = await deps.resolutions.onLocked(sagaRunId, (tx, run) => decide(deps, tx, { run, input, deployed, ctx }));
  ctx.log.warn({ ...result, sagaRunId, by: input.by }, 'saga run resolved by an operator');
  return result;
}

/** How a run was resolved, or what waits for a second person. NOT_FOUND if no operator has requested to resolve it. */
export async function getResolution(
  deps: Pick<ResolutionDeps, 'resolutions'>,
  { sagaRunId }: Pick<ResolveRun, 'sagaRunId'>,
): Promise<ResolvedRun> {
  const run = await deps.resolutions.find(sagaRunId);
  if (run?.resolution === undefined) throw new AppError('NOT_FOUND', { sagaRunId });
  return viewOf(run, run.resolution);
}

/** A step that has ended with a payout can be resolved once: the ledger may have refused to record it. */
function isOver({ replies, resolution }: IntentOfRun): boolean {
  if (resolution !== undefined && resolution.resolvedAt !== null) return true;
  return replies !== undefined && payoutIn(replies) === undefined;
}

/** Before its point of no return a run ends by itself: it succeeds, fails, or is aborted at its deadline. */
function requirePastNoReturn({ resolvableAfterMs }: ResolutionDeps, { intent }: IntentOfRun, { at }: Context): void {
  if (intent.workerState['isPastNoReturn'] === true) return;
  if (toEpochMs(at) - toEpochMs(intent.createdAt) > resolvableAfterMs) return;
  refuse('it can still end by itself, or is aborted at its deadline');
}

type Deployed = Pick<DeployedContract, 'addresses' | 'contractId'>;

async function deployedBy(
  deps: ResolutionDeps,
  { contract }: IntentOfRun,
  { contractId }: ResolveRun,
): Promise<Deployed | undefined> {
  return contractId === undefined ? undefined : { addresses: await addressesOf(deps, contract), contractId };
}

type Decision = {
  readonly run: IntentOfRun;
  readonly input: ResolveRun;
  /** Only for the success of a deployment. */
  readonly deployed: Deployed | undefined;
  readonly ctx: Context;
};

async function decide(deps: ResolutionDeps, tx: Tx, decision: Decision): Promise<ResolvedRun> {
  const { run, input } = decision;
  if (isOver(run)) return repeated(run, input);
  requireResolvable(run, input);
  if (!needsApproval(deps, run)) return resolve(deps, tx, decision, requestOf(run, input, decision.ctx));
  const { resolution: earlier } = run;
  if (earlier === undefined || isSamePerson(earlier.requestedBy, input.by)) return request(deps, tx, decision);
  if (!isSameDecision(earlier, input)) {
    refuse(`${earlier.requestedBy} requested "${earlier.outcome}" with other values; a second person confirms the same ones`);
  }
  return resolve(deps, tx, decision, { ...earlier, approvedBy: input.by, approvalEvidence: input.evidence });
}

/** What our own transactions say outweighs the operator: a payment that has landed, or may still land, is not undone by a reply. */
function requireResolvable({ intent, transactions, replies }: IntentOfRun, { outcome }: ResolveRun): void {
  if (transactions.some(({ state }) => state === 'open')) {
    refuse('one of its transactions may still land; repeat the command when its time bounds have passed');
  }
  if (outcome === 'succeeded') return;
  if (replies !== undefined) refuse('its contract has paid, so it can only be resolved as succeeded');
  const ended = transactions.filter(({ state }) => state === 'ended');
  const isPaid = intent.kind === 'fund' ? ended.length > 0 : landedSteps(ended).some(paysOut);
  if (isPaid) refuse('one of its payments has landed, so it can only be resolved as succeeded');
}

function landedSteps(transactions: IntentOfRun['transactions']): readonly SettlementStep[] {
  return transactions.flatMap(({ step }) => landedStep(step) ?? []);
}

function needsApproval({ approvalAmount }: ResolutionDeps, { contract: { amount } }: IntentOfRun): boolean {
  return approvalAmount !== undefined && amount.units > parseMoney(approvalAmount, amount.currency).units;
}

/** Stores what one person requests. Only a changed request is written, so that a repeated command leaves no second audit entry. */
async function request(deps: ResolutionDeps, tx: Tx, { run, input, ctx }: Decision): Promise<ResolvedRun> {
  const isRepeated = run.resolution !== undefined && isSameDecision(run.resolution, input);
  if (isRepeated) return viewOf(run, run.resolution);
  const resolution = requestOf(run, input, ctx);
  await deps.resolutions.save(tx, resolution);
  await publishResolutionAudit(deps, tx, { run, resolution, by: input.by, ctx });
  return viewOf(run, resolution);
}

async function resolve(deps: ResolutionDeps, tx: Tx, decision: Decision, decided: Resolution): Promise<ResolvedRun> {
  const { run, input, ctx } = decision;
  const resolution = { ...decided, resolvedAt: ctx.at };
  await deps.resolutions.save(tx, resolution);
  const { reply, contract } = await end(deps, tx, decision, resolution);
  const ended = { reply: reply.type, contractStatus: contract.status };
  await publishResolutionAudit(deps, tx, { run, resolution, by: input.by, end: ended, ctx });
  return viewOf(run, resolution);
}

async function end(deps: ResolutionDeps, tx: Tx, decision: Decision, resolution: Resolution): Promise<Completion> {
  const { intent, contract, replies = [] } = decision.run;
  const payout = payoutIn(replies);
  if (payout !== undefined) return requestCorrection(deps, tx, { intent, contract, payout });
  const leased = { ...intent, ...(await deps.resolutions.takeLease(tx, intent)) };
  await deps.resolutions.endForgotten(tx, intent, resolution.transactionHash);
  const completion = completions[intent.kind](decision, resolution);
  return writeCompletion(deps, tx, { intent: leased, contract, completion });
}

type Completions = {
  readonly [Kind in SagaIntentKind]: (decision: Decision, resolution: Resolution) => IntentCompletion<IntentReplyType<Kind>>;
};

const completions: Completions = {
  deploy: ({ run: { contract }, deployed }, resolution) =>
    deployed === undefined ? creationFailed(contract, reasonOf(resolution)) : created(contract, deployed),
  fund: ({ run: { contract }, ctx }, resolution) =>
    resolution.outcome === 'succeeded'
      ? funded(requireDeployed(contract), ctx.at)
      : fundingFailed(contract, reasonOf(resolution)),
  settle: ({ run: { intent, contract, transactions }, ctx }, resolution) => {
    const landed = landedSteps(transactions.filter(({ state }) => state === 'ended'));
    if (resolution.outcome !== 'succeeded') return settlementFailed(contract, landed, reasonOf(resolution));
    return settled(contract, settlementRequestOf(intent), landed, ctx.at);
  },
  payout: () => {
    throw new Error('intents of kind payout have no completion');
  },
};

function reasonOf({ evidence }: Resolution): string {
  return `resolved by an operator: ${evidence}`;
}

function requestOf(
  { intent }: IntentOfRun,
  { sagaRunId, outcome, by, evidence, ...proof }: ResolveRun,
  ctx: Context,
): Resolution {
  return {
    sagaRunId,
    intentId: intent.id,
    outcome,
    transactionHash: proof.transactionHash ?? null,
    contractId: proof.contractId ?? null,
    requestedBy: by,
    requestedAt: ctx.at,
    evidence,
    approvedBy: null,
    approvalEvidence: null,
    resolvedAt: null,
  };
}

/** A command that was repeated after its resolution gets the same response; any other finds the run ended. */
function repeated(run: IntentOfRun, input: ResolveRun): ResolvedRun {
  const { resolution, replies = [] } = run;
  if (resolution === undefined || resolution.resolvedAt === null) {
    return refuse(`its step at the escrow provider has ended with ${replies.map(({ type }) => type).join(', ')}`);
  }
  const persons = [resolution.requestedBy, ...(resolution.approvedBy === null ? [] : [resolution.approvedBy])];
  const isRepeated = persons.some((person) => isSamePerson(person, input.by)) && isSameDecision(resolution, input);
  if (!isRepeated) return refuse(`${persons.join(' and ')} resolved it as ${resolution.outcome} at ${resolution.resolvedAt}`);
  return viewOf(run, resolution);
}

function viewOf({ contract }: IntentOfRun, { outcome, requestedBy, approvedBy, resolvedAt }: Resolution): ResolvedRun {
  const status = resolvedAt === null ? 'PENDING_APPROVAL' : 'RESOLVED';
  return { status, orderId: contract.orderId, outcome, requestedBy, approvedBy };
}

/** The evidence may differ: each person states their own. */
function isSameDecision(resolution: Resolution, { outcome, transactionHash, contractId }: ResolveRun): boolean {
  const isSameProof = resolution.transactionHash === (transactionHash ?? null) && resolution.contractId === (contractId ?? null);
  return resolution.outcome === outcome && isSameProof;
}

function isSamePerson(one: string, other: string): boolean {
  const plain = (name: string): string => name.normalize('NFKC').trim().replaceAll(/\s+/g, ' ').toLowerCase();
  return plain(one) === plain(other);
}

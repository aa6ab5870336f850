import type { Instant } from '@holdfast/kernel/context';
import {
  escrowCreated,
  escrowCreationFailed,
  escrowFunded,
  escrowFundingFailed,
  escrowRefunded,
  escrowReleased,
  escrowSettlementFailed,
  type MessageDeclaration,
  type Payload,
} from '@holdfast/contracts/messages';
import { formatMoney, formatUnits, parseMoney } from '@holdfast/kernel/money';
import type { Contract, DeployedContract } from '../domain/contract.js';
import { withSettled, type ContractChange } from '../domain/contract-change.js';
import { settledAfter } from '../domain/settlement-scope.js';
import type { SettlementStep } from '../domain/steps.js';
import type { IntentCompletion } from './close-intent.js';
import { payoutEvents, payoutReply } from './milestone-payout.js';
import type { IntentReplyType } from './ports.js';
import { requireSettlement, type SettlementRequest } from './settlement-request.js';

/** The completions of all kinds of intents are for the workers and for an operator who resolves a run. */
export function created(
  { escrowId, orderId, amount }: Contract,
  deployed: Pick<DeployedContract, 'addresses' | 'contractId'>,
): IntentCompletion<'escrow.created'> {
  const { addresses, contractId } = deployed;
  const ofEscrow = { escrowId, orderId, amount: formatMoney(amount), currency: amount.currency };
  return completion(escrowCreated, { ...ofEscrow, providerContractId: contractId }, () => ({
    move: 'create',
    addresses,
    contractId,
  }));
}

export function creationFailed({ escrowId, orderId }: Contract, reason: string): IntentCompletion<'escrow.creation_failed'> {
  return completion(escrowCreationFailed, { escrowId, orderId, reason }, () => ({ move: 'fail' }));
}

export function funded(
  { escrowId, orderId, amount, contractId }: DeployedContract,
  at: Instant,
): IntentCompletion<'escrow.funded'> {
  const payload = { escrowId, orderId, providerContractId: contractId, amount: formatMoney(amount), fundedAt: at };
  return completion(escrowFunded, payload, ({ status }) => (status === 'CREATED' ? { move: 'fund' } : {}));
}

export function fundingFailed(
  { escrowId, orderId, amount, buyerId }: Contract,
  reason: string,
): IntentCompletion<'escrow.funding_failed'> {
  const payload = { escrowId, orderId, amount: formatMoney(amount), currency: amount.currency, buyerId, reason };
  return completion(escrowFundingFailed, payload, () => ({}));
}

/** The whole contract, or what was left of it, or one milestone is paid out. */
export function settled(
  contract: Contract,
  request: SettlementRequest,
  landed: readonly SettlementStep[],
  at: Instant,
): IntentCompletion<IntentReplyType<'settle'>> {
  const { milestoneRef } = request;
  return milestoneRef === undefined
    ? contractSettled(request, landed, at)
    : milestoneSettled(contract, { ...request, milestoneRef }, landed, at);
}

function milestoneSettled(
  contract: Contract,
  request: SettlementRequest & { readonly milestoneRef: string },
  landed: readonly SettlementStep[],
  at: Instant,
): IntentCompletion<IntentReplyType<'settle'>> {
  const { milestoneRef, amount, sellerAmount, buyerAmount, platformFee, cause = null } = request;
  const payout = { milestoneRef, amount, sellerAmount, buyerAmount, platformFee, cause, at };
  return {
    ...payoutReply(contract, payout),
    events: (changed) => payoutEvents(changed, payout),
    change: (current) => ({ ...settledBy(current, request), ...knownFrom(current, landed) }),
  };
}

function contractSettled(
  request: SettlementRequest,
  landed: readonly SettlementStep[],
  at: Instant,
): IntentCompletion<'escrow.released' | 'escrow.refunded'> {
  const change = (contract: Contract): ContractChange => ({ ...settledBy(contract, request), ...knownFrom(contract, landed) });
  const { escrowId, orderId, amount, currency, buyerId, sellerId, platformFee } = request;
  const ofEscrow = { escrowId, orderId, amount, currency };
  if (request.decision === 'REFUND') return completion(escrowRefunded, { ...ofEscrow, buyerId, refundedAt: at }, change);
  const split = request.decision === 'SPLIT' ? { buyerId, refundAmount: request.buyerAmount } : {};
  const payload = { ...ofEscrow, ...split, sellerId, platformFee, netAmount: netOf(request), releasedAt: at };
  return completion(escrowReleased, payload, change);
}

export function settlementFailed(
  { escrowId, orderId }: Contract,
  landed: readonly SettlementStep[],
  reason: string,
): IntentCompletion<'escrow.settlement_failed'> {
  const payload = { escrowId, orderId, reason, isDisputed: hasDisputed(landed) };
  return completion(escrowSettlementFailed, payload, (contract) => knownFrom(contract, landed));
}

function completion<M extends MessageDeclaration>(declaration: M, payload: Payload<M>, change: IntentCompletion['change']) {
  return { declaration, payload, change };
}

/** The payout may have been published as an external change meanwhile; then the contract is settled already. */
function settledBy(contract: Contract, request: SettlementRequest): ContractChange {
  if (contract.releaseMode === 'milestone')
    return withSettled(contract, settledAfter(contract, requireSettlement(contract, request)));
  return contract.status === 'SETTLED' ? {} : { move: 'settle' };
}

function netOf({ sellerAmount, platformFee, currency }: SettlementRequest): string {
  return formatUnits(parseMoney(sellerAmount, currency).units - parseMoney(platformFee, currency).units);
}

function hasDisputed(landed: readonly SettlementStep[]): boolean {
  return landed.some(({ does }) => does === 'dispute');
}

/** Records the effects of our own steps, so that they are not published as external changes later. */
function knownFrom(
  { milestonesKnown, isDisputeKnown, disputesKnown }: Contract,
  landed: readonly SettlementStep[],
): ContractChange {
  const completed = landed.flatMap((step) => (step.does === 'complete' ? [step.index] : []));
  const disputed = landed.flatMap((step) => (step.does === 'dispute' && step.index !== undefined ? [step.index] : []));
  return {
    milestonesKnown: [...new Set([...milestonesKnown, ...completed])],
    isDisputeKnown: isDisputeKnown || hasDisputed(landed),
    disputesKnown: [...new Set([...disputesKnown, ...disputed])],
  };
}

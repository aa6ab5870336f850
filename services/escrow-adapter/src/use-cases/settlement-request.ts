import { escrowSettlementRequested, type Payload } from '@holdfast/contracts/messages';
import type { Intent } from '@holdfast/intents';
import { parseMoney } from '@holdfast/kernel/money';
import type { Contract } from '../domain/contract.js';
import type { Settlement } from '../domain/plan.js';
import { scopedSettlement, type RequestedSettlement } from '../domain/settlement-scope.js';

export type SettlementRequest = Payload<typeof escrowSettlementRequested>;

/** The request that an intent of the kind `settle` carries out. */
export function settlementRequestOf({ payload }: Intent): SettlementRequest {
  return escrowSettlementRequested.payload.parse(payload);
}

export function toSettlement(request: SettlementRequest): RequestedSettlement {
  const { decision, sellerAmount, buyerAmount, currency, milestoneRef } = request;
  const unitsOf = (amount: string): bigint => parseMoney(amount, currency).units;
  return { decision, sellerUnits: unitsOf(sellerAmount), buyerUnits: unitsOf(buyerAmount), milestoneRef };
}

/** The settlement of a request that fits the contract. Any other was refused before its first step. */
export function requireSettlement(contract: Contract, request: SettlementRequest): Settlement {
  const scoped = scopedSettlement(contract, toSettlement(request));
  if ('refusal' in scoped) throw new Error(`Contract ${contract.escrowId} cannot be settled as requested: ${scoped.refusal}.`);
  return scoped.settlement;
}

import { xdr } from '@stellar/stellar-sdk';
import { z } from 'zod';
import { invokeContractArgs } from '../contract-calls/contract-call.js';
import { returnValueOf } from '../contract-calls/contract-events.js';
import { OperationFailure } from '../domain/operation-failure.js';
import { callResources, resourceData, resourceFee, sourceAuthorization } from '../ledger-network/call-resources.js';
import { MalformedEnvelope } from '../ledger-network/envelope.js';
import { footprintOf, type Footprint } from '../ledger-network/footprint.js';
import type { LedgerView } from '../ledger-network/ledger-view.js';
import type { Network } from '../ledger-network/network.js';
import type { SubmittedOperation } from '../ledger-network/submitted-transaction.js';
import { readContract } from './contract-reads.js';
import { parseParams } from './json-rpc.js';

type ContractOperation = Extract<SubmittedOperation, { kind: 'contract_call' }>;

const paramsShape = z.object({ transaction: z.string() });

/** `simulateTransaction`: what a transaction with one operation on contracts needs and returns, or the refusal as `error`. */
export function simulateTransaction(network: Network, view: LedgerView, params: unknown) {
  const { transaction } = parseParams(paramsShape, params);
  const latest = { latestLedger: view.head.sequence, events: [] };
  try {
    return { ...simulate(network, view, transaction), ...latest };
  } catch (error) {
    if (error instanceof MalformedEnvelope) return { error: `Could not unmarshal transaction: ${error.message}`, ...latest };
    if (error instanceof OperationFailure) return { error: `HostError: ${error.message}`, ...latest };
    throw error;
  }
}

function simulate(network: Network, view: LedgerView, envelopeXdr: string) {
  const { operations, feeBump } = network.parse(envelopeXdr);
  if (feeBump !== undefined) throw new MalformedEnvelope('a fee bump cannot be simulated');
  const [operation, ...others] = operations;
  if (operation === undefined || others.length > 0) throw new MalformedEnvelope('it must have exactly one operation');
  switch (operation.kind) {
    case 'contract_call':
      return simulateCall(network, view, operation);
    case 'extend_footprint_ttl':
    case 'restore_footprint':
      return needs(givenFootprint(envelopeXdr));
    default:
      throw new MalformedEnvelope(`the operation ${operation.kind} cannot be simulated`);
  }
}

function simulateCall(network: Network, view: LedgerView, operation: ContractOperation) {
  const read = readContract(view, operation);
  if (read !== undefined) {
    const footprint = footprintOf(view, { readOnly: read.entries, readWrite: [] });
    return { ...needs(footprint), results: [{ auth: [], xdr: read.value.toXDR('base64') }], ...preambleOf(footprint) };
  }
  const effect = network.simulate(network.readCall(view, operation), view);
  const { footprint, resourceFeeUnits, subInvocations } = callResources(network.genesis, view, operation, effect);
  const returned = returnValueOf(effect.before === undefined ? effect.after : undefined);
  const recorded = [sourceAuthorization(invokeContractArgs(operation), subInvocations)];
  const auth = operation.authorizations.length > 0 ? operation.authorizations : recorded;
  return {
    ...needs(footprint, resourceFeeUnits),
    results: [{ auth: auth.map((entry) => entry.toXDR('base64')), xdr: returned.toXDR('base64') }],
    ...preambleOf(footprint),
  };
}

function needs(footprint: Footprint, feeUnits = resourceFee(footprint)) {
  return {
    transactionData: resourceData(footprint, feeUnits).toXDR('base64'),
    minResourceFee: feeUnits.toString(),
  };
}

/** The operations on lifetimes have no other footprint than the one that their sender chooses. */
function givenFootprint(envelopeXdr: string): Footprint {
  const extension = xdr.TransactionEnvelope.fromXDR(envelopeXdr, 'base64').v1().tx().ext();
  if (extension.switch() === 0) throw new MalformedEnvelope('it has no footprint');
  const footprint = extension.sorobanData().resources().footprint();
  return { readOnly: footprint.readOnly(), readWrite: footprint.readWrite(), archived: [] };
}

/** The transaction that restores the archived entries first, for callers that do not let the call itself restore them. */
function preambleOf({ readWrite, archived }: Footprint) {
  if (archived.length === 0) return {};
  const restored = { readOnly: [], readWrite: readWrite.filter((_key, index) => archived.includes(index)), archived: [] };
  return { restorePreamble: needs(restored) };
}

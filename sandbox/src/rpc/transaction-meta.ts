import { xdr } from '@stellar/stellar-sdk';
import { scAddress } from '../contract-calls/addresses.js';
import type { LandedEvent, LandedOperation, LandedTransaction } from '../store/records.js';
import { ledgerEntryChanges } from './entry-changes.js';

const noExtension = new xdr.ExtensionPoint(0);
const metaVersion = 4;

/**
 * What a transaction has changed, in the form of the network. A failed one has no operations here. The network has fees in other data,
 * which RPC does not return, so the lists before and after the operations are empty.
 */
export function transactionMeta({ operations, changes = [], failure, ledger }: LandedTransaction) {
  const landed = failure === undefined ? operations : [];
  const events = landed.map((operation) => eventsOf(operation).map(contractEvent));
  const meta = new xdr.TransactionMetaV4({
    ext: noExtension,
    txChangesBefore: [],
    operations: events.map((each, index) => {
      const changed = ledgerEntryChanges(changes[index] ?? [], ledger);
      return new xdr.OperationMetaV2({ ext: noExtension, changes: changed, events: each });
    }),
    txChangesAfter: [],
    sorobanMeta: contractMeta(landed),
    events: [],
    diagnosticEvents: [],
  });
  return {
    resultMetaXdr: new xdr.TransactionMeta(metaVersion, meta).toXDR('base64'),
    events: { transactionEventsXdr: [], contractEventsXdr: events.map((each) => each.map((event) => event.toXDR('base64'))) },
  };
}

function eventsOf(operation: LandedOperation): readonly LandedEvent[] {
  return operation.kind === 'contract_call' ? operation.events : [];
}

function contractEvent({ contractId, topics, data }: LandedEvent): xdr.ContractEvent {
  const content = new xdr.ContractEventV0({ topics: topics.map(valueOf), data: valueOf(data) });
  return new xdr.ContractEvent({
    ext: noExtension,
    contractId: scAddress(contractId).contractId(),
    type: xdr.ContractEventType.contract(),
    body: new xdr.ContractEventBody(0, content),
  });
}

function contractMeta(operations: readonly LandedOperation[]): xdr.SorobanTransactionMetaV2 | null {
  const [call] = operations;
  if (call?.kind !== 'contract_call') return null;
  const returnValue = call.returnValue === undefined ? null : valueOf(call.returnValue);
  return new xdr.SorobanTransactionMetaV2({ ext: new xdr.SorobanTransactionMetaExt(0), returnValue });
}

function valueOf(base64: string): xdr.ScVal {
  return xdr.ScVal.fromXDR(base64, 'base64');
}

import { xdr } from '@stellar/stellar-sdk';
import { eventsOf, returnValueOf } from '../contract-calls/contract-events.js';
import type { LandedOperation, LandedTransaction } from '../store/records.js';
import { ledgerEntryChanges } from './entry-changes.js';

const noExtension = new xdr.ExtensionPoint(0);
const metaVersion = 4;

/**
 * What a transaction has changed, in the form of the network. A failed one has no operations here. The network has fees in other data,
 * which RPC does not return, so the lists before and after the operations are empty.
 */
export function transactionMeta({ operations, changes = [], failure, ledger }: LandedTransaction) {
  const landed = failure === undefined ? operations : [];
  const events = landed.map((operation) => (operation.kind === 'contract_call' ? eventsOf(operation) : []));
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

function contractMeta(operations: readonly LandedOperation[]): xdr.SorobanTransactionMetaV2 | null {
  const [call] = operations;
  if (call?.kind !== 'contract_call') return null;
  const returnValue = returnValueOf(call.createdContractId === undefined ? undefined : call.escrow);
  return new xdr.SorobanTransactionMetaV2({ ext: new xdr.SorobanTransactionMetaExt(0), returnValue });
}

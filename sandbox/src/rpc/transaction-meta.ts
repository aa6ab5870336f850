import { xdr } from '@stellar/stellar-sdk';
import { outcomeOf, type Outcome } from '../contract-calls/contract-events.js';
import type { LandedTransaction } from '../store/records.js';
import { ledgerEntryChanges } from './entry-changes.js';

const noExtension = new xdr.ExtensionPoint(0);
const metaVersion = 4;

/**
 * What a transaction has changed, in the form of the network. A failed one has no operations here. The network has fees in other data,
 * which RPC does not return, so the lists before and after the operations are empty.
 */
export function transactionMeta({ operations, changes = [], failure, ledger }: LandedTransaction) {
  const landed = failure === undefined ? operations : [];
  const outcomes = landed.map((operation) => (operation.kind === 'contract_call' ? outcomeOf(operation) : undefined));
  const events = outcomes.map((outcome) => outcome?.events ?? []);
  const meta = new xdr.TransactionMetaV4({
    ext: noExtension,
    txChangesBefore: [],
    operations: events.map((each, index) => {
      const changed = ledgerEntryChanges(changes[index] ?? [], ledger);
      return new xdr.OperationMetaV2({ ext: noExtension, changes: changed, events: each });
    }),
    txChangesAfter: [],
    sorobanMeta: contractMeta(outcomes),
    events: [],
    diagnosticEvents: [],
  });
  return {
    resultMetaXdr: new xdr.TransactionMeta(metaVersion, meta).toXDR('base64'),
    events: { transactionEventsXdr: [], contractEventsXdr: events.map((each) => each.map((event) => event.toXDR('base64'))) },
  };
}

/** A transaction has at most one contract call, and no other operation beside it. */
function contractMeta([call]: readonly (Outcome | undefined)[]): xdr.SorobanTransactionMetaV2 | null {
  if (call === undefined) return null;
  const { returnValue } = call;
  return new xdr.SorobanTransactionMetaV2({ ext: new xdr.SorobanTransactionMetaExt(0), returnValue });
}

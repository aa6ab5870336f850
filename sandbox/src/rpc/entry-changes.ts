import { xdr } from '@stellar/stellar-sdk';
import type { EntryChange } from '../domain/entry-changes.js';
import { offerEntry } from '../ledger-network/xdr-fields.js';
import { accountData, claimableData, trustlineData } from './account-entries.js';
import { balanceData } from './contract-entries.js';

/** The changes of one operation in the form of the network: the state before an update or a removal, or a new entry. */
export function ledgerEntryChanges(changes: readonly EntryChange[], ledger: number): xdr.LedgerEntryChange[] {
  return changes.flatMap((change) => changesOf(change, ledger));
}

function changesOf(change: EntryChange, ledger: number): readonly xdr.LedgerEntryChange[] {
  const [before, after] = [dataOf(change, 'before'), dataOf(change, 'after')];
  if (before === undefined) {
    return after === undefined ? [] : [xdr.LedgerEntryChange.ledgerEntryCreated(entry(after, ledger))];
  }
  const state = xdr.LedgerEntryChange.ledgerEntryState(entry(before, ledger));
  if (after === undefined) return [state, xdr.LedgerEntryChange.ledgerEntryRemoved(keyOf(before))];
  return [state, xdr.LedgerEntryChange.ledgerEntryUpdated(entry(after, ledger))];
}

/** The sandbox does not know when an entry changed before, so its state has the ledger of the operation, too. */
function entry(data: xdr.LedgerEntryData, ledger: number): xdr.LedgerEntry {
  return new xdr.LedgerEntry({ lastModifiedLedgerSeq: ledger, data, ext: new xdr.LedgerEntryExt(0) });
}

function dataOf(change: EntryChange, version: 'before' | 'after'): xdr.LedgerEntryData | undefined {
  switch (change.kind) {
    case 'account':
      return mapped(change[version], (facts) => accountData(change.address, facts));
    case 'trustline':
      return mapped(change[version], (line) => trustlineData(change.address, change.asset, line));
    case 'offer':
      return mapped(change[version], (offer) => xdr.LedgerEntryData.offer(offerEntry(change.address, offer)));
    case 'balance':
      return mapped(change[version], (balance) => balanceData(change.contractId, balance));
    case 'claimable':
      return mapped(change[version], claimableData);
  }
}

function mapped<State>(
  state: State | undefined,
  build: (state: State) => xdr.LedgerEntryData | undefined,
): xdr.LedgerEntryData | undefined {
  return state === undefined ? undefined : build(state);
}

/** The key of an entry that an operation of the sandbox can remove. */
function keyOf(data: xdr.LedgerEntryData): xdr.LedgerKey {
  switch (data.switch()) {
    case xdr.LedgerEntryType.account():
      return xdr.LedgerKey.account(new xdr.LedgerKeyAccount({ accountId: data.account().accountId() }));
    case xdr.LedgerEntryType.trustline(): {
      const line = data.trustLine();
      return xdr.LedgerKey.trustline(new xdr.LedgerKeyTrustLine({ accountId: line.accountId(), asset: line.asset() }));
    }
    case xdr.LedgerEntryType.offer(): {
      const offer = data.offer();
      return xdr.LedgerKey.offer(new xdr.LedgerKeyOffer({ sellerId: offer.sellerId(), offerId: offer.offerId() }));
    }
    default:
      throw new Error(`no operation removes an entry of the type ${data.switch().name}`);
  }
}

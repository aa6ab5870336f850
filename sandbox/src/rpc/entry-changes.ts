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
  const { before, after } = versionsOf(change);
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

type Versions<State> = { readonly before?: State | undefined; readonly after?: State | undefined };

function versionsOf(change: EntryChange): Versions<xdr.LedgerEntryData> {
  switch (change.kind) {
    case 'account':
      return mapped(change, accountData(change.address));
    case 'trustline':
      return mapped(change, trustlineData(change.address, change.asset));
    case 'offer':
      return mapped(change, (offer) => xdr.LedgerEntryData.offer(offerEntry(change.address, offer)));
    case 'balance':
      return mapped(change, balanceData(change.contractId));
    case 'claimable':
      return mapped(change, claimableData);
  }
}

function mapped<State>(
  { before, after }: Versions<State>,
  build: (state: State) => xdr.LedgerEntryData | undefined,
): Versions<xdr.LedgerEntryData> {
  return {
    before: before === undefined ? undefined : build(before),
    after: after === undefined ? undefined : build(after),
  };
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

import { Address, Keypair, nativeToScVal, xdr, type Asset } from '@stellar/stellar-sdk';

/** Ledger entries and their changes, as the network writes them into the metadata of a transaction. */

const noExtension = new xdr.ExtensionPoint(0);

export function accountEntry(address: string, units: bigint): xdr.LedgerEntry {
  const account = new xdr.AccountEntry({
    accountId: Keypair.fromPublicKey(address).xdrAccountId(),
    balance: new xdr.Int64(units),
    seqNum: new xdr.Int64(7),
    numSubEntries: 1,
    inflationDest: null,
    flags: 0,
    homeDomain: '',
    thresholds: Buffer.from([1, 0, 0, 0]),
    signers: [],
    ext: new xdr.AccountEntryExt(0),
  });
  return entry(xdr.LedgerEntryData.account(account));
}

export function lineEntry(address: string, asset: Asset, units: bigint): xdr.LedgerEntry {
  const line = new xdr.TrustLineEntry({
    accountId: Keypair.fromPublicKey(address).xdrAccountId(),
    asset: asset.toTrustLineXDRObject(),
    balance: new xdr.Int64(units),
    limit: new xdr.Int64(1_000_000_000_000n),
    flags: 1,
    ext: new xdr.TrustLineEntryExt(0),
  });
  return entry(xdr.LedgerEntryData.trustline(line));
}

/** The balance of a contract in the contract of a token. */
export function balanceEntry(token: string, owner: string, units: bigint): xdr.LedgerEntry {
  const data = new xdr.ContractDataEntry({
    ext: noExtension,
    contract: new Address(token).toScAddress(),
    key: xdr.ScVal.scvVec([xdr.ScVal.scvSymbol('Balance'), new Address(owner).toScVal()]),
    durability: xdr.ContractDataDurability.persistent(),
    val: nativeToScVal(
      { amount: units, authorized: true, clawback: false },
      { type: { amount: ['symbol', 'i128'], authorized: ['symbol', null], clawback: ['symbol', null] } },
    ),
  });
  return entry(xdr.LedgerEntryData.contractData(data));
}

export function claimableEntry(claimants: readonly string[], asset: Asset, units: bigint): xdr.LedgerEntry {
  const balance = new xdr.ClaimableBalanceEntry({
    balanceId: xdr.ClaimableBalanceId.claimableBalanceIdTypeV0(Buffer.alloc(32, 5)),
    claimants: claimants.map((address) =>
      xdr.Claimant.claimantTypeV0(
        new xdr.ClaimantV0({
          destination: Keypair.fromPublicKey(address).xdrAccountId(),
          predicate: xdr.ClaimPredicate.claimPredicateUnconditional(),
        }),
      ),
    ),
    asset: asset.toXDRObject(),
    amount: new xdr.Int64(units),
    ext: new xdr.ClaimableBalanceEntryExt(0),
  });
  return entry(xdr.LedgerEntryData.claimableBalance(balance));
}

function entry(data: xdr.LedgerEntryData): xdr.LedgerEntry {
  return new xdr.LedgerEntry({ lastModifiedLedgerSeq: 700, data, ext: new xdr.LedgerEntryExt(0) });
}

export function updated(before: xdr.LedgerEntry, after: xdr.LedgerEntry): readonly xdr.LedgerEntryChange[] {
  return [xdr.LedgerEntryChange.ledgerEntryState(before), xdr.LedgerEntryChange.ledgerEntryUpdated(after)];
}

export function created(after: xdr.LedgerEntry): readonly xdr.LedgerEntryChange[] {
  return [xdr.LedgerEntryChange.ledgerEntryCreated(after)];
}

export function removedAccount(address: string, before: xdr.LedgerEntry): readonly xdr.LedgerEntryChange[] {
  const key = new xdr.LedgerKeyAccount({ accountId: Keypair.fromPublicKey(address).xdrAccountId() });
  return [xdr.LedgerEntryChange.ledgerEntryState(before), xdr.LedgerEntryChange.ledgerEntryRemoved(xdr.LedgerKey.account(key))];
}

/** An entry that comes back from the archive, with what it held. */
export function restored(before: xdr.LedgerEntry): readonly xdr.LedgerEntryChange[] {
  return [xdr.LedgerEntryChange.ledgerEntryRestored(before)];
}

type Changes = readonly xdr.LedgerEntryChange[];

/** Metadata of networks from protocol 23 on, with the changes of each operation. */
export function changesV4(...operations: readonly Changes[]): xdr.TransactionMeta {
  const metas = operations.map((changes) => new xdr.OperationMetaV2({ ext: noExtension, changes: [...changes], events: [] }));
  const value = { ext: noExtension, txChangesBefore: [], txChangesAfter: [], events: [], diagnosticEvents: [] };
  return new xdr.TransactionMeta(4, new xdr.TransactionMetaV4({ ...value, operations: metas, sorobanMeta: null }));
}

/** Metadata of networks before protocol 23, with the changes of each operation. */
export function changesV3(...operations: readonly Changes[]): xdr.TransactionMeta {
  const metas = operations.map((changes) => new xdr.OperationMeta({ changes: [...changes] }));
  const value = { ext: noExtension, txChangesBefore: [], txChangesAfter: [], operations: metas, sorobanMeta: null };
  return new xdr.TransactionMeta(3, new xdr.TransactionMetaV3(value));
}

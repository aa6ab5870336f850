import { Asset, StrKey, xdr } from '@stellar/stellar-sdk';
import { accountIdOf, addressText, scAddress } from '../contract-calls/addresses.js';
import { balanceKey, escrowKey, instanceKey } from '../contract-calls/data-keys.js';
import { assetKey, nativeAsset, type AssetKey } from '../domain/assets.js';
import type { EntryName } from '../domain/lifetimes.js';
import { trustLineAsset } from './xdr-fields.js';

const { LedgerKey } = xdr;
const durability = xdr.ContractDataDurability.persistent();

/** An entry of the ledger that the sandbox can have. */
export type EntryReference =
  | { readonly kind: 'account'; readonly address: string }
  | { readonly kind: 'trustline'; readonly address: string; readonly asset: AssetKey }
  | { readonly kind: 'code'; readonly wasmHash: string }
  | ContractEntry;

/** An entry of a contract. Its balance is stored by the contract of the token. */
export type ContractEntry = {
  readonly kind: 'contract';
  readonly contractId: string;
  readonly name: EntryName;
  readonly token?: string | undefined;
};

/** The key of an entry. */
export function entryKey(entry: EntryReference): xdr.LedgerKey {
  switch (entry.kind) {
    case 'account':
      return LedgerKey.account(new xdr.LedgerKeyAccount({ accountId: accountIdOf(entry.address) }));
    case 'trustline':
      return trustlineKey(entry);
    case 'code':
      return LedgerKey.contractCode(new xdr.LedgerKeyContractCode({ hash: Buffer.from(entry.wasmHash, 'hex') }));
    case 'contract':
      return contractKey(entry);
  }
}

function trustlineKey({ address, asset }: Extract<EntryReference, { kind: 'trustline' }>): xdr.LedgerKey {
  const held = trustLineAsset(asset);
  if (held === undefined) throw new Error('the native asset has no trustlines');
  return LedgerKey.trustline(new xdr.LedgerKeyTrustLine({ accountId: accountIdOf(address), asset: held }));
}

/** The balance of a contract is in the data of the token's contract. */
function contractKey({ contractId, name, token }: ContractEntry): xdr.LedgerKey {
  switch (name) {
    case 'instance':
      return contractDataKey(contractId, instanceKey);
    case 'escrow':
      return contractDataKey(contractId, escrowKey);
    case 'balance':
      return contractDataKey(token ?? contractId, balanceKey(contractId));
  }
}

function contractDataKey(contractId: string, key: xdr.ScVal): xdr.LedgerKey {
  return LedgerKey.contractData(new xdr.LedgerKeyContractData({ contract: scAddress(contractId), key, durability }));
}

/** Reads the key of an entry; undefined for keys of entries that the sandbox never has. */
export function readEntryKey(key: xdr.LedgerKey): EntryReference | undefined {
  switch (key.switch()) {
    case xdr.LedgerEntryType.account():
      return { kind: 'account', address: addressOf(key.account().accountId()) };
    case xdr.LedgerEntryType.trustline():
      return trustline(key.trustLine());
    case xdr.LedgerEntryType.contractCode():
      return { kind: 'code', wasmHash: key.contractCode().hash().toString('hex') };
    case xdr.LedgerEntryType.contractData():
      return contractData(key.contractData());
    default:
      return undefined;
  }
}

function addressOf(accountId: xdr.AccountId): string {
  return StrKey.encodeEd25519PublicKey(accountId.ed25519());
}

function trustline(key: xdr.LedgerKeyTrustLine): EntryReference | undefined {
  if (key.asset().switch() === xdr.AssetType.assetTypePoolShare()) return undefined;
  // Without pool shares the two types have the same bytes.
  const asset = Asset.fromOperation(xdr.Asset.fromXDR(key.asset().toXDR()));
  const name = asset.isNative() ? nativeAsset : assetKey({ code: asset.getCode(), issuer: asset.getIssuer() });
  return { kind: 'trustline', address: addressOf(key.accountId()), asset: name };
}

function contractData(key: xdr.LedgerKeyContractData): ContractEntry | undefined {
  if (key.durability() !== xdr.ContractDataDurability.persistent()) return undefined;
  const contractId = addressText(key.contract());
  const value = key.key();
  if (value.switch() === xdr.ScValType.scvLedgerKeyContractInstance()) return { kind: 'contract', contractId, name: 'instance' };
  return value.switch() === xdr.ScValType.scvVec() ? storedData(contractId, value.vec() ?? []) : undefined;
}

/** `Escrow` in an escrow contract, or `Balance` of an address in a token's contract. */
function storedData(contractId: string, [name, holder, ...others]: readonly xdr.ScVal[]): ContractEntry | undefined {
  if (name?.switch() !== xdr.ScValType.scvSymbol() || others.length > 0) return undefined;
  const symbol = name.sym().toString();
  if (holder === undefined) return symbol === 'Escrow' ? { kind: 'contract', contractId, name: 'escrow' } : undefined;
  if (symbol !== 'Balance' || holder.switch() !== xdr.ScValType.scvAddress()) return undefined;
  const owner = addressText(holder.address());
  return { kind: 'contract', contractId: owner, name: 'balance', token: contractId };
}

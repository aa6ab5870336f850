import { Asset, StrKey, type xdr } from '@stellar/stellar-sdk';
import { z } from 'zod';
import type { CustodyAsset } from '@holdfast/kernel/money';
import { addressText } from '../envelopes/index.js';
import type { BalanceChange, OperationChanges } from './ledger-rpc-port.js';
import { plainValue } from './plain-values.js';
import { tokenContracts } from './token-contracts.js';

/** How entries of the ledger name the assets. */
export type AssetNames = {
  readonly usdc: Asset;
  /** The assets by the contract of their token. */
  readonly tokens: ReadonlyMap<string, CustodyAsset>;
};

export function assetNames(networkPassphrase: string, usdcIssuer: string): AssetNames {
  const { USDC, XLM } = tokenContracts(networkPassphrase, usdcIssuer);
  return { usdc: new Asset('USDC', usdcIssuer), tokens: new Map([[USDC, 'USDC'], [XLM, 'XLM']]) }; // prettier-ignore
}

/** What each operation of a successful transaction has changed, from the entries before and after it. Fees are not part of it. */
export function balanceChangesIn(meta: xdr.TransactionMeta, names: AssetNames): readonly OperationChanges[] {
  return changesOf(meta).map((changes) => ({
    balances: balancesIn(changes, names),
    claimable: changes.flatMap((change) => claimableIn(change, names)),
  }));
}

function changesOf(meta: xdr.TransactionMeta): readonly (readonly xdr.LedgerEntryChange[])[] {
  switch (meta.switch()) {
    case 3:
      return meta.v3().operations().map((operation) => operation.changes()); // prettier-ignore
    case 4:
      return meta.v4().operations().map((operation) => operation.changes()); // prettier-ignore
    default:
      return [];
  }
}

/** The balance that an entry holds. */
type Held = { readonly key: string; readonly address: string; readonly asset: CustodyAsset; readonly units: bigint };

/** An entry is listed as it was, then as it is; a new one only as it is, a removed one as it was and then by its key. */
function balancesIn(changes: readonly xdr.LedgerEntryChange[], names: AssetNames): readonly BalanceChange[] {
  const before = new Map<string, Held>();
  const sums = new Map<string, BalanceChange>();
  const add = ({ key, address, asset }: Held, units: bigint): void => {
    sums.set(key, { address, asset, units: (sums.get(key)?.units ?? 0n) + units });
  };
  const replace = (held: Held | undefined): void => {
    if (held === undefined) return;
    add(held, held.units - (before.get(held.key)?.units ?? 0n));
    before.set(held.key, held);
  };
  for (const change of changes) {
    switch (change.switch().name) {
      case 'ledgerEntryState':
        remember(before, heldIn(change.state(), names));
        break;
      case 'ledgerEntryRestored':
        remember(before, heldIn(change.restored(), names));
        break;
      case 'ledgerEntryCreated':
        replace(heldIn(change.created(), names));
        break;
      case 'ledgerEntryUpdated':
        replace(heldIn(change.updated(), names));
        break;
      case 'ledgerEntryRemoved': {
        const removed = before.get(keyText(change.removed()) ?? '');
        if (removed !== undefined) replace({ ...removed, units: 0n });
        break;
      }
    }
  }
  return [...sums.values()].filter(({ units }) => units !== 0n);
}

function remember(before: Map<string, Held>, held: Held | undefined): void {
  if (held !== undefined) before.set(held.key, held);
}

/** Undefined for an entry that holds no USDC and no XLM. */
function heldIn(entry: xdr.LedgerEntry, names: AssetNames): Held | undefined {
  const data = entry.data();
  switch (data.switch().name) {
    case 'account': {
      const address = addressOf(data.account().accountId());
      return { key: accountText(address), address, asset: 'XLM', units: data.account().balance().toBigInt() };
    }
    case 'trustline': {
      const line = data.trustLine();
      if (!isUsdc(line.asset(), names)) return undefined;
      const address = addressOf(line.accountId());
      return { key: lineText(address, line.asset()), address, asset: 'USDC', units: line.balance().toBigInt() };
    }
    case 'contractData':
      return heldByContract(data.contractData(), names);
    default:
      return undefined;
  }
}

const balanceFields = z.object({ amount: z.bigint() });

/** What a contract holds is an entry of the token: `[Balance, contract]`. */
function heldByContract(data: xdr.ContractDataEntry, { tokens }: AssetNames): Held | undefined {
  const asset = tokens.get(addressText(data.contract()));
  const key = data.key();
  if (asset === undefined || key.switch().name !== 'scvVec') return undefined;
  const [name, owner, ...others] = key.vec() ?? [];
  const isBalance = name?.switch().name === 'scvSymbol' && name.sym().toString() === 'Balance' && others.length === 0;
  if (!isBalance || owner?.switch().name !== 'scvAddress') return undefined;
  const address = addressText(owner.address());
  const { amount } = balanceFields.parse(plainValue(data.val()));
  return { key: dataText(data), address, asset, units: amount };
}

/** Tokens in a claimable balance that the operation has made, once for each claimant. */
function claimableIn(change: xdr.LedgerEntryChange, names: AssetNames): readonly BalanceChange[] {
  if (change.switch().name !== 'ledgerEntryCreated') return [];
  const data = change.created().data();
  if (data.switch().name !== 'claimableBalance') return [];
  const balance = data.claimableBalance();
  const asset = assetOf(balance.asset(), names);
  if (asset === undefined) return [];
  const units = balance.amount().toBigInt();
  return balance.claimants().map((claimant) => ({ address: addressOf(claimant.v0().destination()), asset, units }));
}

function assetOf(asset: xdr.Asset, { usdc }: AssetNames): CustodyAsset | undefined {
  const read = Asset.fromOperation(asset);
  if (read.isNative()) return 'XLM';
  return read.equals(usdc) ? 'USDC' : undefined;
}

function isUsdc(asset: xdr.TrustLineAsset, { usdc }: AssetNames): boolean {
  return asset.toXDR('base64') === usdc.toTrustLineXDRObject().toXDR('base64');
}

function addressOf(id: xdr.AccountId): string {
  return StrKey.encodeEd25519PublicKey(id.ed25519());
}

/** The same text for an entry and for its key. */
function keyText(key: xdr.LedgerKey): string | undefined {
  switch (key.switch().name) {
    case 'account':
      return accountText(addressOf(key.account().accountId()));
    case 'trustline':
      return lineText(addressOf(key.trustLine().accountId()), key.trustLine().asset());
    case 'contractData':
      return dataText(key.contractData());
    default:
      return undefined;
  }
}

function accountText(address: string): string {
  return `account ${address}`;
}

function lineText(address: string, asset: xdr.TrustLineAsset): string {
  return `line ${address} ${asset.toXDR('base64')}`;
}

function dataText(data: Pick<xdr.ContractDataEntry, 'contract' | 'key'>): string {
  return `data ${data.contract().toXDR('base64')} ${data.key().toXDR('base64')}`;
}

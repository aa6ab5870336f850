import { Address, Asset, StrKey, rpc, scValToNative, xdr } from '@stellar/stellar-sdk';
import { readEntryKey } from '../ledger-network/entry-reference.js';

type Entry = { readonly entry: string; readonly owner: string; readonly asset: string };

/** An entry of the ledger that an operation changed. `units` is its balance afterwards less its balance before. */
export type Changed = Entry & { readonly change: 'created' | 'updated' | 'removed'; readonly units: bigint };

/** The changes of each operation of a successful transaction, as RPC returns them. */
export async function changesOf(server: rpc.Server, hash: string): Promise<readonly (readonly Changed[])[]> {
  const found = await server.getTransaction(hash);
  if (found.status !== rpc.Api.GetTransactionStatus.SUCCESS) throw new Error(`the transaction is ${found.status}`);
  const operations = found.resultMetaXdr.v4().operations();
  return operations.map((operation) => readChanges(operation.changes()));
}

/** Reads the list in pairs: a state is followed by the update or the removal of the same entry. */
function readChanges(list: readonly xdr.LedgerEntryChange[]): readonly Changed[] {
  const [first, second, ...others] = list;
  if (first === undefined) return [];
  if (first.switch().name === 'ledgerEntryCreated') {
    return [{ ...entryOf(first.created()), change: 'created' }, ...readChanges(list.slice(1))];
  }
  if (first.switch().name !== 'ledgerEntryState' || second === undefined) throw new Error(`${first.switch().name} comes first`);
  return [pairOf(first.state(), second), ...readChanges(others)];
}

function pairOf(state: xdr.LedgerEntry, second: xdr.LedgerEntryChange): Changed {
  const { units, ...before } = entryOf(state);
  if (second.switch().name === 'ledgerEntryRemoved') {
    expect(removedEntry(second.removed())).toEqual({ entry: before.entry, owner: before.owner });
    return { ...before, change: 'removed', units: -units };
  }
  const { units: unitsAfter, ...after } = entryOf(second.updated());
  expect(after).toEqual(before);
  return { ...after, change: 'updated', units: unitsAfter - units };
}

function removedEntry(key: xdr.LedgerKey) {
  if (key.switch().name === 'offer') return { entry: 'offer', owner: addressOf(key.offer().sellerId()) };
  const reference = readEntryKey(key);
  return { entry: reference?.kind, owner: reference !== undefined && 'address' in reference ? reference.address : '' };
}

/** An offer has its id instead of an asset, and its amount is what it sells. */
type Balance = Entry & { readonly units: bigint };

function entryOf(ledgerEntry: xdr.LedgerEntry): Balance {
  const data = ledgerEntry.data();
  const entry = data.switch().name;
  switch (entry) {
    case 'account': {
      const account = data.account();
      return { entry, owner: addressOf(account.accountId()), asset: 'XLM', units: account.balance().toBigInt() };
    }
    case 'trustline': {
      const line = data.trustLine();
      const asset = Asset.fromOperation(xdr.Asset.fromXDR(line.asset().toXDR()));
      return { entry, owner: addressOf(line.accountId()), asset: asset.toString(), units: line.balance().toBigInt() };
    }
    case 'contractData':
      return contractBalance(data.contractData());
    case 'claimableBalance': {
      const balance = data.claimableBalance();
      const owners = balance.claimants().map((claimant) => addressOf(claimant.v0().destination()));
      const asset = Asset.fromOperation(balance.asset()).toString();
      return { entry, owner: owners.join(), asset, units: balance.amount().toBigInt() };
    }
    case 'offer': {
      const offer = data.offer();
      const id = offer.offerId().toString();
      return { entry, owner: addressOf(offer.sellerId()), asset: id, units: offer.amount().toBigInt() };
    }
    default:
      throw new Error(`an operation of the sandbox changes no ${entry}`);
  }
}

/** The asset is the address of the token's contract. */
function contractBalance(data: xdr.ContractDataEntry): Balance {
  expect(data.durability().name).toBe('persistent');
  const [name, owner]: readonly string[] = scValToNative(data.key());
  expect(name).toBe('Balance');
  const value = scValToNative(data.val());
  expect(value).toEqual({ amount: expect.any(BigInt), authorized: true, clawback: false });
  const asset = Address.fromScAddress(data.contract()).toString();
  return { entry: 'contractData', owner: owner ?? '', asset, units: value.amount };
}

function addressOf(accountId: xdr.AccountId): string {
  return StrKey.encodeEd25519PublicKey(accountId.ed25519());
}

import { subEntriesOf, type Account, type TrustLine } from './account.js';
import type { AssetKey } from './assets.js';
import type { Offer } from './offer.js';
import type { ClaimableBalance } from './transfer-operations.js';

/** An entry of the ledger before and after an operation. One of them is absent where the operation created or removed it. */
type Changed<Kind extends string, Key, State> = Key & {
  readonly kind: Kind;
  readonly before?: State | undefined;
  readonly after?: State | undefined;
};

/** What an account's entry contains. Its trustlines and offers are entries of their own. */
export type AccountFacts = Pick<Account, 'nativeUnits' | 'sequence' | 'sponsoring' | 'sponsored'> & {
  readonly subEntries: number;
};

/** The balance of a contract, which the token's contract stores. */
export type ContractBalance = { readonly token: string; readonly units: bigint };

export type EntryChange =
  | Changed<'account', { readonly address: string }, AccountFacts>
  | Changed<'trustline', { readonly address: string; readonly asset: AssetKey }, TrustLine>
  | Changed<'offer', { readonly address: string }, Offer>
  | Changed<'balance', { readonly contractId: string }, ContractBalance>
  | Changed<'claimable', { readonly id: string }, ClaimableBalance>;

type Versions<State> = { readonly before: State | undefined; readonly after: State | undefined };

/** The changed entries of an account: its own, its trustlines and its offers. */
export function accountChanges(address: string, { before, after }: Versions<Account>): readonly EntryChange[] {
  const facts = { before: factsOf(before), after: factsOf(after) };
  const own: readonly EntryChange[] = areEqual(facts) ? [] : [{ kind: 'account', address, ...facts }];
  return [
    ...own,
    ...keyedChanges({ before: before?.lines, after: after?.lines }).map(([asset, line]) => {
      return { kind: 'trustline' as const, address, asset, ...line };
    }),
    ...keyedChanges({ before: before?.offers, after: after?.offers }).map(([, offer]) => {
      return { kind: 'offer' as const, address, ...offer };
    }),
  ];
}

export function factsOf(account: Account): AccountFacts;
export function factsOf(account: Account | undefined): AccountFacts | undefined;
export function factsOf(account: Account | undefined): AccountFacts | undefined {
  if (account === undefined) return undefined;
  const { nativeUnits, sequence, sponsoring, sponsored } = account;
  return { nativeUnits, sequence, sponsoring, sponsored, subEntries: subEntriesOf(account) };
}

function keyedChanges<State extends object>(
  versions: Versions<Readonly<Record<string, State>>>,
): readonly (readonly [key: string, Versions<State>])[] {
  const { before = {}, after = {} } = versions;
  if (before === after) return [];
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys]
    .map((key) => [key, { before: before[key], after: after[key] }] as const)
    .filter(([, state]) => !areEqual(state));
}

export function balanceChanges(contractId: string, balance: Versions<ContractBalance>): readonly EntryChange[] {
  return areEqual(balance) ? [] : [{ kind: 'balance', contractId, ...balance }];
}

/** Compares fields; an absent field means zero. An offer that is written again has changed: its price is another object. */
function areEqual<State extends object>({ before, after }: Versions<State>): boolean {
  if (before === after) return true;
  if (before === undefined || after === undefined) return false;
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const [old, current] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  return [...names].every((name) => (old.get(name) ?? 0) === (current.get(name) ?? 0));
}

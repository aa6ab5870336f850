import { custodyTransactionsLanded, type Payload } from '@holdfast/contracts/messages';
import { unitsOfText } from '@holdfast/ledger-network/values';
import type { WalletTestbed } from './running-wallets.js';

type Difference = { readonly account: string; readonly published: bigint; readonly onNetwork: bigint };

const findPlaces = `
  select address, 'wallet ' || user_id as place
  from escrow_adapter.wallets
  union all
  select contract_id, 'contract ' || order_id
  from escrow_adapter.contracts
  where contract_id is not null`;

/** Compares the sums of the published legs with the balances on the network. Accounts of the platform are summed by place. */
export async function custodyOf(world: Pick<WalletTestbed, 'published' | 'sandbox' | 'database' | 'platformAddresses'>) {
  const published = sumsOf(world);
  const state = (await (await fetch(`${world.sandbox.controlUrl}/state`)).json()) as SandboxState;
  const places = new Map(
    (await world.database.asAdmin<{ address: string; place: string }>(findPlaces)).map(({ address, place }) => [address, place]),
  );
  for (const [address, place] of world.platformAddresses()) places.set(address, place);
  const onNetwork = new Map<string, bigint>();
  for (const { address, balances } of holdersOf(state)) {
    const place = places.get(address);
    if (place === undefined) continue;
    for (const [asset, amount] of Object.entries(balances)) {
      const key = `${place} ${asset}`;
      onNetwork.set(key, (onNetwork.get(key) ?? 0n) + unitsOfText(amount));
    }
  }
  const keys = new Set([
    ...onNetwork.keys(),
    ...[...published.keys()].filter((key) => /^(wallet|contract|treasury|platform) /.test(key)),
  ]);
  const wrong: Difference[] = [...keys]
    .map((account) => ({ account, published: published.get(account) ?? 0n, onNetwork: onNetwork.get(account) ?? 0n }))
    .filter((difference) => difference.published !== difference.onNetwork);
  return { wrong, count: keys.size };
}

/** Every transaction in `custody.transactions_landed` messages. */
export function landedIn(published: WalletTestbed['published']): Payload<typeof custodyTransactionsLanded>['transactions'] {
  return published
    .filter(({ type }) => type === custodyTransactionsLanded.type)
    .flatMap(({ payload }) => custodyTransactionsLanded.payload.parse(payload).transactions);
}

function sumsOf({ published }: Pick<WalletTestbed, 'published'>): ReadonlyMap<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const { place, ownerId, asset, amount } of landedIn(published).flatMap(({ legs }) => legs)) {
    const key = `${place}${ownerId === undefined ? '' : ` ${ownerId}`} ${asset}`;
    const units = amount.startsWith('-') ? -unitsOfText(amount.slice(1)) : unitsOfText(amount);
    sums.set(key, (sums.get(key) ?? 0n) + units);
  }
  return sums;
}

type SandboxState = {
  readonly accounts: readonly Holder[];
  readonly contracts: readonly {
    readonly contractId: string;
    readonly balance: string;
    readonly trustline: { readonly name: string };
  }[];
};

function holdersOf({ accounts, contracts }: SandboxState): readonly Holder[] {
  const holding = contracts.map(({ contractId, balance, trustline }) => ({
    address: contractId,
    balances: { [trustline.name === 'USDC' ? 'USDC' : 'XLM']: balance },
  }));
  return [...accounts, ...holding];
}

type Holder = { readonly address: string; readonly balances: Readonly<Record<string, string>> };

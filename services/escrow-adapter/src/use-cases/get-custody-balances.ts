import type { CustodyPlace } from '@holdfast/contracts/messages';
import { custodyAssets, formatUnits, type CustodyAsset } from '@holdfast/kernel/money';
import { assetOf } from '../domain/contract.js';
import type { ContractEntries } from './network-ports.js';
import type { Deps, DeployedRef } from './ports.js';
import { ContractNotShown } from './read-state.js';

export type CustodyAccount = { readonly place: CustodyPlace; readonly ownerId: string | null };
export type CustodyBalance = CustodyAccount & { readonly asset: CustodyAsset; readonly amount: string };

type Units = Readonly<Record<CustodyAsset, bigint>>;
type CustodyDeps = Pick<Deps, 'wallets' | 'rpc' | 'usdcIssuer' | 'expectations' | 'contracts'>;

const nothing: Units = { USDC: 0n, XLM: 0n };
/** Reads at the same time, so that a report does not hold up payments. */
const readsMax = 10;
const contractsPerCall = 20;

/** What accounts and contracts hold on the network. Accounts of the world outside and of fees are not known there, and left out. */
export async function getCustodyBalances(
  deps: CustodyDeps,
  accounts: readonly CustodyAccount[],
): Promise<readonly CustodyBalance[]> {
  const ofContract = await contractReader(deps, accounts);
  const known = accounts.filter(({ place }) => place !== 'world' && !place.endsWith('_fees'));
  const balances = await inChunks(known, readsMax, async (account) => {
    const units = account.place === 'contract' ? ofContract(account.ownerId) : await unitsOnNetwork(deps, account);
    return custodyAssets.map((asset) => ({ ...account, asset, amount: formatUnits(units[asset]) }));
  });
  return balances.flat();
}

/** The sum of the accounts of a place, such as the treasury and its channels. */
async function unitsOnNetwork({ wallets, rpc, usdcIssuer }: CustodyDeps, { place, ownerId }: CustodyAccount): Promise<Units> {
  const accounts = await rpc.accountBalances(await wallets.addressesAt(place, ownerId), usdcIssuer);
  return [...accounts.values()].reduce<Units>(
    (sum, { balances }) => ({ USDC: sum.USDC + (balances.USDC ?? 0n), XLM: sum.XLM + (balances.XLM ?? 0n) }),
    nothing,
  );
}

async function contractReader(
  { contracts, rpc, expectations }: CustodyDeps,
  accounts: readonly CustodyAccount[],
): Promise<(orderId: string | null) => Units> {
  const orderIds = accounts.flatMap(({ place, ownerId }) => (place === 'contract' && ownerId !== null ? [ownerId] : []));
  const deployed = orderIds.length === 0 ? [] : await contracts.findDeployed(orderIds);
  const units = new Map<string, bigint>();
  for (let start = 0; start < deployed.length; start += contractsPerCall) {
    const chunk = deployed.slice(start, start + contractsPerCall);
    const read = await rpc.contractEntries(
      chunk.map(({ contractId, type, currency }) => ({ contractId, type, token: expectations.tokenOf(currency) })),
    );
    for (const contract of chunk) units.set(contract.contractId, balanceIn(read, contract));
  }
  return (orderId) => sumOf(deployed.filter((contract) => contract.orderId === orderId), units); // prettier-ignore
}

/** A funded contract has a balance on the network, even if it is zero. Where it is archived, the amount is not known. */
function balanceIn({ contracts }: ContractEntries, { contractId, status }: DeployedRef): bigint {
  const balanceUnits = contracts.get(contractId)?.balanceUnits;
  if (balanceUnits === undefined && status === 'FUNDED') throw new ContractNotShown('the balance of a contract');
  return balanceUnits ?? 0n;
}

function sumOf(deployed: readonly DeployedRef[], units: ReadonlyMap<string, bigint>): Units {
  return deployed.reduce<Units>((sum, { contractId, currency }) => {
    const asset = assetOf(currency);
    return { ...sum, [asset]: sum[asset] + (units.get(contractId) ?? 0n) };
  }, nothing);
}

async function inChunks<Item, Result>(
  items: readonly Item[],
  size: number,
  run: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < items.length; start += size)
    results.push(...(await Promise.all(items.slice(start, start + size).map(run))));
  return results;
}

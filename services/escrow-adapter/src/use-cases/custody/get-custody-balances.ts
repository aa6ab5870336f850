import type { CustodyPlace } from '@holdfast/contracts/messages';
import { pause } from '@holdfast/kernel/async';
import { custodyAssets, formatUnits, type CustodyAsset } from '@holdfast/kernel/money';
import { assetOf } from '../../domain/contract.js';
import type { Held } from '@holdfast/ledger-network/rpc';
import type { Deps, DeployedRef } from '../ports.js';
import { ContractNotShown } from '../read-state.js';

export type CustodyAccount = { readonly place: CustodyPlace; readonly ownerId: string | null };
export type CustodyBalance = CustodyAccount & { readonly asset: CustodyAsset; readonly amount: string };

export type CustodyReading = {
  readonly ledger: number;
  readonly balances: readonly CustodyBalance[];
  readonly moving: readonly CustodyAccount[];
};

type Units = Readonly<Record<CustodyAsset, bigint>>;
type CustodyDeps = Pick<Deps, 'wallets' | 'rpc' | 'expectations' | 'contracts'>;

const nothing: Units = { USDC: 0n, XLM: 0n };
/** How long the history may take to show the ledger that was read. */
const followMsMax = 10_000;

/**
 * What accounts and contracts hold on the network, read from one ledger, once every transaction up to it is published. Accounts of the
 * world outside and of fees are not known there, and left out.
 */
export async function getCustodyBalances(deps: CustodyDeps, accounts: readonly CustodyAccount[]): Promise<CustodyReading> {
  const known = accounts.filter(({ place }) => place !== 'world' && place !== 'capital' && !place.endsWith('_fees'));
  const addresses = await addressesOf(deps, known);
  const orderIds = known.flatMap(({ place, ownerId }) => (place === 'contract' && ownerId !== null ? [ownerId] : []));
  const deployed = orderIds.length === 0 ? [] : await deps.contracts.findDeployed(orderIds);
  const held = await deps.rpc.held({
    addresses: [...new Set(addresses.flat())],
    contracts: deployed.map(({ contractId, currency }) => ({ contractId, token: deps.expectations.tokenOf(currency) })),
  });
  await deps.wallets.followTo(held.ledger, AbortSignal.timeout(followMsMax));
  const moving = await movingAt(deps, held.ledger, known);
  const balances = known.flatMap((account, index) => {
    const units =
      account.place === 'contract'
        ? inContracts(held, deployed.filter(({ orderId }) => orderId === account.ownerId)) // prettier-ignore
        : inAccounts(held, addresses[index] ?? []);
    return custodyAssets.map((asset) => ({ ...account, asset, amount: formatUnits(units[asset]) }));
  });
  return { ledger: held.ledger, balances, moving: known.filter((account) => moving.has(keyOf(account))) };
}

/**
 * Accounts of the platform itself move with every transaction, so what is on its way to the journal is waited for. It has no key by
 * which its end could be reported, so it is read again.
 */
async function movingAt(
  { wallets }: CustodyDeps,
  ledger: number,
  accounts: readonly CustodyAccount[],
): Promise<ReadonlySet<string>> {
  const busy = accounts.filter(({ place }) => place === 'treasury' || place === 'platform').map(keyOf);
  for (let attempt = 1; ; attempt += 1) {
    const moving = new Set((await wallets.movingAt(ledger)).map(keyOf));
    if (attempt >= bookedAttemptsMax || !busy.some((key) => moving.has(key))) return moving;
    await pause(bookedPauseMs);
  }
}

const bookedAttemptsMax = 15;
const bookedPauseMs = 200;

/** Look-ups at the same time, so that a report does not hold up payments. */
const lookUpsMax = 10;

async function addressesOf(
  { wallets }: CustodyDeps,
  accounts: readonly CustodyAccount[],
): Promise<readonly (readonly string[])[]> {
  const found: (readonly string[])[] = [];
  for (let start = 0; start < accounts.length; start += lookUpsMax) {
    const chunk = accounts.slice(start, start + lookUpsMax);
    found.push(...(await Promise.all(chunk.map(({ place, ownerId }) => wallets.addressesAt(place, ownerId)))));
  }
  return found;
}

function keyOf({ place, ownerId }: { readonly place: string; readonly ownerId: string | null }): string {
  return `${place}:${ownerId ?? ''}`;
}

/** The sum of the accounts of a place, such as the treasury and its channels. */
function inAccounts({ accounts }: Held, addresses: readonly string[]): Units {
  return addresses.reduce<Units>((sum, address) => {
    const { USDC = 0n, XLM = 0n } = accounts.get(address)?.balances ?? {};
    return { USDC: sum.USDC + USDC, XLM: sum.XLM + XLM };
  }, nothing);
}

/** A funded contract has a balance on the network, even if it is zero. Where it is archived, the amount is not known. */
function inContracts({ contractUnits }: Held, deployed: readonly DeployedRef[]): Units {
  return deployed.reduce<Units>((sum, { contractId, currency, status }) => {
    const units = contractUnits.get(contractId);
    if (units === undefined && status === 'FUNDED') throw new ContractNotShown('the balance of a contract');
    const asset = assetOf(currency);
    return { ...sum, [asset]: sum[asset] + (units ?? 0n) };
  }, nothing);
}

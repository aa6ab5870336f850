import type { CustodyPlace } from '@holdfast/contracts/messages';
import { defaultMarketplaceId } from '@holdfast/kernel/ids';
import { summed } from '../../domain/sum-legs.js';
import type { LedgerOperation, Transfer } from '@holdfast/ledger-network/values';
import type { Deposit, Leg, Outflow, OwnPlace, PlaceOf, UnknownDeposit } from './ports.js';

/** The custody legs of a transaction; empty where it involves none of our addresses. The legs of each asset sum to zero. */
export function legsOf(operations: readonly LedgerOperation[], placeOf: PlaceOf): readonly Leg[] {
  const transfers = operations.flatMap((operation) =>
    operation.transfers.flatMap((transfer) => legsOfTransfer(transfer, placeOf)),
  );
  return summed([...transfers, ...legsOfFee(operations[0]?.fee, placeOf)]);
}

function legsOfTransfer({ from, to, asset, units }: Transfer, placeOf: PlaceOf): readonly Leg[] {
  const [source, target] = [placeOf(from), placeOf(to)];
  if (source === undefined && target === undefined) return [];
  return [
    { ...named(source ?? { place: outsideOf(target) }), asset, units: -units },
    { ...named(target ?? { place: elsewhereThan(source, to) }), asset, units },
  ];
}

/** What arrives at an account of the platform itself is its owners' money: it is credited to no user. */
function outsideOf(target: OwnPlace | undefined): CustodyPlace {
  return target?.place === 'treasury' || target?.place === 'platform' ? 'capital' : 'world';
}

/**
 * All parties of a contract are our addresses, so an external recipient is the provider taking its fee. Tokens that were burned
 * have no recipient.
 */
function elsewhereThan(source: OwnPlace | undefined, to: string): CustodyPlace {
  return source?.place === 'contract' && to !== '' ? 'provider_fees' : 'world';
}

function legsOfFee(fee: LedgerOperation['fee'] | undefined, placeOf: PlaceOf): readonly Leg[] {
  const payer = fee === undefined ? undefined : placeOf(fee.address);
  if (fee === undefined || payer === undefined) return [];
  return [
    { ...named(payer), asset: 'XLM', units: -fee.units },
    { place: 'network_fees', asset: 'XLM', units: fee.units },
  ];
}

function named(place: OwnPlace | { readonly place: CustodyPlace }): Pick<Leg, 'place' | 'ownerId'> {
  return 'ownerId' in place ? { place: place.place, ownerId: place.ownerId } : { place: place.place };
}

/** Payments into wallets from external addresses; payouts of contracts and transfers of the treasury are excluded. */
export function depositsOf(operations: readonly LedgerOperation[], placeOf: PlaceOf): readonly Deposit[] {
  return operations.flatMap(({ id, transactionHash, at: landedAt, transfers }) =>
    transfers
      .flatMap(({ from, to, asset, units }) => {
        const target = placeOf(to);
        if (target?.place !== 'wallet' || placeOf(from) !== undefined || units === 0n) return [];
        return [{ userId: target.ownerId, marketplaceId: target.marketplaceId, transactionHash, landedAt, asset, units }];
      })
      .map((deposit, index) => ({ ...deposit, operationId: index === 0 ? id : `${id}-${index}` })),
  );
}

/** Transfers out of treasury, platform and wallets to addresses that are not ours. Contracts pay by their own rules. */
export function outflowsOf(operations: readonly LedgerOperation[], placeOf: PlaceOf): readonly Outflow[] {
  return operations.flatMap(({ transfers, memoHash = null }) =>
    transfers.flatMap(({ from, to, asset, units }) => {
      const source = outflowPlaceOf(placeOf(from));
      if (source === undefined || placeOf(to) !== undefined || units === 0n) return [];
      return [{ ...source, asset, units, to: to === '' ? null : to, memoHash }];
    }),
  );
}

/** Undefined for contracts and for addresses that are not ours. */
export function outflowPlaceOf(own: OwnPlace | undefined): Pick<Outflow, 'place' | 'userId' | 'marketplaceId'> | undefined {
  if (own === undefined || own.place === 'contract') return undefined;
  if (own.place === 'wallet') return { place: own.place, userId: own.ownerId, marketplaceId: own.marketplaceId };
  return { place: own.place, userId: null, marketplaceId: defaultMarketplaceId };
}

/** Transfers of strangers into contracts, whose owner they do not name, and claimable balances, which must be claimed first. */
export function unknownDepositsOf(operations: readonly LedgerOperation[], placeOf: PlaceOf): readonly UnknownDeposit[] {
  return operations.flatMap((operation) =>
    [...transfersIntoContracts(operation, placeOf), ...claimableByUsers(operation, placeOf)].map((deposit, index) => ({
      ...deposit,
      operationId: index === 0 ? operation.id : `${operation.id}-${index}`,
    })),
  );
}

type WithoutOperation = Omit<UnknownDeposit, 'operationId'>;

function transfersIntoContracts({ transfers }: LedgerOperation, placeOf: PlaceOf): readonly WithoutOperation[] {
  return transfers.flatMap(({ from, to, asset, units }) => {
    const target = placeOf(to);
    if (target?.place !== 'contract' || placeOf(from) !== undefined || units === 0n) return [];
    const { ownerId: orderId, marketplaceId } = target;
    return [{ form: 'contract_transfer', userId: null, orderId, marketplaceId, asset, units }];
  });
}

function claimableByUsers({ claimable }: LedgerOperation, placeOf: PlaceOf): readonly WithoutOperation[] {
  if (claimable === undefined || placeOf(claimable.from) !== undefined) return [];
  const { asset, units } = claimable;
  return [...new Set(claimable.claimants)].flatMap((claimant) => {
    const target = placeOf(claimant);
    if (target?.place !== 'wallet') return [];
    const { ownerId: userId, marketplaceId } = target;
    return [{ form: 'claimable_balance', userId, orderId: null, marketplaceId, asset, units }];
  });
}

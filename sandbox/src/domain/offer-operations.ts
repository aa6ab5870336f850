import { availableUnits, requireReserve, unitsMax, type Account } from './account.js';
import { isIssuer, nativeAsset, type AssetKey } from './assets.js';
import type { Offer, Price } from './offer.js';
import { OperationFailure } from './operation-failure.js';

export const offerKinds = ['manage_sell_offer', 'manage_buy_offer', 'create_passive_sell_offer'] as const;

export type OfferOperation = {
  readonly kind: (typeof offerKinds)[number];
  readonly source: string;
  readonly selling: AssetKey;
  readonly buying: AssetKey;
  /** How much is sold, or bought by a `manage_buy_offer`, whose price is for one bought unit. Zero deletes the offer. */
  readonly units: bigint;
  readonly price: Price;
  /** Zero for a new offer. */
  readonly offerId: bigint;
  /** The offer afterwards. Absent unless the operation has succeeded, and where it has deleted the offer. */
  readonly offer?: Offer | undefined;
};

type Offering = {
  readonly find: (id: string) => Account | undefined;
  readonly put: (account: Account) => void;
  readonly nextOfferId: () => bigint;
};

/** Opens, changes or deletes an offer, and returns the operation with its result. Offers do not meet each other here. */
export function applyOffer(accounts: Offering, operation: OfferOperation): OfferOperation {
  const { source, units, offerId } = operation;
  const isNew = offerId === 0n;
  const account = accounts.find(source);
  if (account === undefined) throw new OperationFailure('op_no_source_account');
  requireWellFormed(operation);
  if (units > 0n) requireTrust(account, operation);
  if (!isNew && account.offers?.[String(offerId)] === undefined) throw new OperationFailure('op_offer_not_found');
  if (units === 0n) {
    accounts.put(withoutOffer(account, String(offerId)));
    return operation;
  }
  const offer = offerOf(operation, String(isNew ? accounts.nextOfferId() : offerId));
  const changed = { ...account, offers: { ...account.offers, [offer.id]: offer } };
  if (isNew) requireReserve(changed);
  requireRoom(changed, operation);
  accounts.put(changed);
  return { ...operation, offer };
}

function requireWellFormed({ selling, buying, units, price, offerId }: OfferOperation): void {
  const hasPrice = price.n > 0 && price.d > 0;
  const isDeletionOfNone = units === 0n && offerId === 0n;
  if (selling === buying || units < 0n || !hasPrice || offerId < 0n || isDeletionOfNone)
    throw new OperationFailure('op_malformed');
}

function requireTrust({ id, lines }: Account, { selling, buying }: OfferOperation): void {
  const needsLine = (asset: AssetKey): boolean => asset !== nativeAsset && !isIssuer(id, asset);
  if (needsLine(selling) && lines[selling] === undefined) throw new OperationFailure('op_sell_no_trust');
  if (needsLine(selling) && lines[selling]?.units === 0n) throw new OperationFailure('op_underfunded');
  if (needsLine(buying) && lines[buying] === undefined) throw new OperationFailure('op_buy_no_trust');
}

/** The account must be able to pay and to hold what the whole offer moves. */
function requireRoom(account: Account, operation: OfferOperation): void {
  const { selling, buying } = operation;
  const { sold, bought } = amountsOf(operation);
  if (roomFor(account, buying) < bought) throw new OperationFailure('op_line_full');
  if (balanceOf(account, selling) < sold) throw new OperationFailure('op_underfunded');
}

function roomFor(account: Account, asset: AssetKey): bigint {
  if (asset === nativeAsset) return unitsMax - account.nativeUnits;
  if (isIssuer(account.id, asset)) return unitsMax;
  const { limitUnits, units } = account.lines[asset] ?? { limitUnits: 0n, units: 0n };
  return limitUnits - units;
}

function balanceOf(account: Account, asset: AssetKey): bigint {
  if (asset === nativeAsset) return availableUnits(account);
  return isIssuer(account.id, asset) ? unitsMax : (account.lines[asset]?.units ?? 0n);
}

/** The other side of what the operation fixes is rounded up. */
function amountsOf({ kind, units, price }: OfferOperation): { readonly sold: bigint; readonly bought: bigint } {
  const [n, d] = [BigInt(price.n), BigInt(price.d)];
  const other = (units * n + d - 1n) / d;
  return kind === 'manage_buy_offer' ? { sold: other, bought: units } : { sold: units, bought: other };
}

/** The offer of a purchase is the one of the equal sale. */
function offerOf(operation: OfferOperation, id: string): Offer {
  const { kind, selling, buying, price } = operation;
  const { sold: units } = amountsOf(operation);
  const isPurchase = kind === 'manage_buy_offer';
  const isPassive = kind === 'create_passive_sell_offer';
  return { id, selling, buying, units, price: isPurchase ? { n: price.d, d: price.n } : price, isPassive };
}

function withoutOffer(account: Account, id: string): Account {
  const { [id]: _deleted, ...offers } = account.offers ?? {};
  return { ...account, offers };
}

import { issuedAsset } from '../domain/assets.js';
import type { OfferOperation } from '../domain/offer-operations.js';
import type { PathPayment } from '../domain/transfer-operations.js';
import { formatUnits, unitsPerWhole } from '../domain/units.js';
import type { LandedTransaction } from '../store/records.js';
import { accountFacts, assetView, canonicalAsset, unconditional } from './field-views.js';
import { outerHash } from './find-transaction.js';
import { entryToken, type HistoryEntry } from './history.js';
import { callByKind, operationKinds, type ByKind } from './operation-kinds.js';

/** The JSON of an operation in Horizon's API, also in lists of payments. */
export function operationView(entry: HistoryEntry, base: string) {
  const { transaction, index } = entry;
  const operation = transaction.operations[index];
  if (operation === undefined) throw new Error('a history entry must point to an existing operation');
  const id = entryToken(entry).toString();
  const { type, type_i } = operationKinds[operation.kind];
  return {
    ...callByKind(factsOf, operation, transaction),
    _links: {
      self: { href: `${base}/operations/${id}` },
      transaction: { href: `${base}/transactions/${outerHash(transaction)}` },
    },
    id,
    paging_token: id,
    transaction_successful: transaction.failure === undefined,
    source_account: operation.source,
    type,
    type_i,
    created_at: transaction.closedAt,
    transaction_hash: outerHash(transaction),
  };
}

type Facts = Readonly<Record<string, unknown>>;

const factsOf: ByKind<Facts, [LandedTransaction]> = {
  create_account: ({ units, source, destination }) => ({
    starting_balance: formatUnits(units),
    funder: source,
    account: destination,
  }),
  payment: ({ asset, source, to, toMuxed, units }) => ({
    ...assetView(asset),
    from: source,
    ...accountFacts('to', to, toMuxed),
    amount: formatUnits(units),
  }),
  change_trust: ({ asset, source, limitUnits }) => ({
    ...assetView(asset),
    trustee: issuedAsset(asset)?.issuer,
    trustor: source,
    limit: formatUnits(limitUnits),
  }),
  path_payment_strict_send: pathPaymentFacts,
  path_payment_strict_receive: pathPaymentFacts,
  account_merge: ({ source, into, intoMuxed }) => ({ account: source, ...accountFacts('into', into, intoMuxed) }),
  create_claimable_balance: ({ asset, units, claimants }) => ({
    asset: canonicalAsset(asset),
    amount: formatUnits(units),
    claimants: claimants.map((destination) => ({ destination, predicate: unconditional })),
  }),
  clawback: ({ asset, from, fromMuxed, units }) => ({
    ...assetView(asset),
    ...accountFacts('from', from, fromMuxed),
    amount: formatUnits(units),
  }),
  manage_sell_offer: offerFacts,
  manage_buy_offer: offerFacts,
  create_passive_sell_offer: offerFacts,
  begin_sponsoring: ({ sponsored }) => ({ sponsored_id: sponsored }),
  end_sponsoring: ({ source }, { operations }) => ({
    begin_sponsor: operations.find((each) => each.kind === 'begin_sponsoring' && each.sponsored === source)?.source,
  }),
  contract_call: ({ contractId, balanceChanges }) => ({
    function: 'HostFunctionTypeHostFunctionTypeInvokeContract',
    address: contractId,
    parameters: [],
    asset_balance_changes: balanceChanges.map(({ asset, units, toMuxedId, ...change }) => ({
      ...assetView(asset),
      ...change,
      amount: formatUnits(units),
      destination_muxed_id: toMuxedId,
    })),
  }),
  extend_footprint_ttl: ({ extendTo }) => ({ extend_to: extendTo }),
};

/** As in Horizon, the id is the submitted one, which is zero for a new offer, and a passive offer has none. */
function offerFacts({ kind, selling, buying, units, price, offerId }: OfferOperation): Facts {
  return {
    amount: formatUnits(units),
    price: decimalPrice(price),
    price_r: price,
    ...assetView(buying, 'buying_'),
    ...assetView(selling, 'selling_'),
    ...(kind === 'create_passive_sell_offer' ? {} : { offer_id: offerId.toString() }),
  };
}

/** Seven decimals, rounded half up. A failed operation may have an impossible price. */
function decimalPrice({ n, d }: OfferOperation['price']): string {
  if (n < 0 || d <= 0) return formatUnits(0n);
  const [numerator, denominator] = [BigInt(n) * unitsPerWhole, BigInt(d)];
  return formatUnits((2n * numerator + denominator) / (2n * denominator));
}

/** What the sender has not fixed is zero in a failed transaction. */
function pathPaymentFacts(operation: PathPayment, { failure }: LandedTransaction): Facts {
  const isSuccessful = failure === undefined;
  const isSend = operation.kind === 'path_payment_strict_send';
  const { units, sourceUnits } = operation;
  const limit = formatUnits(operation.limitUnits);
  return {
    ...assetView(operation.asset),
    from: operation.source,
    ...accountFacts('to', operation.to, operation.toMuxed),
    amount: formatUnits(isSend && !isSuccessful ? 0n : units),
    path: [],
    source_amount: formatUnits(isSend || isSuccessful ? sourceUnits : 0n),
    ...(isSend ? { destination_min: limit } : { source_max: limit }),
    ...assetView(operation.sourceAsset, 'source_'),
  };
}

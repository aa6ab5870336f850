import { issuedAsset, type BalanceChange } from '../domain/assets.js';
import type { OfferOperation } from '../domain/offer-operations.js';
import type { PathPayment, TransferOperation } from '../domain/transfer-operations.js';
import { formatUnits, unitsPerWhole } from '../domain/units.js';
import type { LandedOperation, LandedTransaction } from '../store/records.js';
import { accountFacts, assetView, canonicalAsset, unconditional } from './field-views.js';
import { outerHash } from './find-transaction.js';
import { entryToken, type HistoryEntry } from './history.js';
import { isOffer } from './offer-results.js';

const operationTypes = {
  create_account: { type: 'create_account', type_i: 0 },
  payment: { type: 'payment', type_i: 1 },
  path_payment_strict_receive: { type: 'path_payment_strict_receive', type_i: 2 },
  manage_sell_offer: { type: 'manage_sell_offer', type_i: 3 },
  create_passive_sell_offer: { type: 'create_passive_sell_offer', type_i: 4 },
  change_trust: { type: 'change_trust', type_i: 6 },
  account_merge: { type: 'account_merge', type_i: 8 },
  manage_buy_offer: { type: 'manage_buy_offer', type_i: 12 },
  path_payment_strict_send: { type: 'path_payment_strict_send', type_i: 13 },
  create_claimable_balance: { type: 'create_claimable_balance', type_i: 14 },
  begin_sponsoring: { type: 'begin_sponsoring_future_reserves', type_i: 16 },
  end_sponsoring: { type: 'end_sponsoring_future_reserves', type_i: 17 },
  clawback: { type: 'clawback', type_i: 19 },
  contract_call: { type: 'invoke_host_function', type_i: 24 },
  extend_footprint_ttl: { type: 'extend_footprint_ttl', type_i: 25 },
  restore_footprint: { type: 'restore_footprint', type_i: 26 },
} as const;

/** The JSON of an operation in Horizon's API, also in lists of payments. */
export function operationView(entry: HistoryEntry, base: string) {
  const { transaction, index } = entry;
  const operation = transaction.operations[index];
  if (operation === undefined) throw new Error('a history entry must point to an existing operation');
  const id = entryToken(entry).toString();
  const { type, type_i } = operationTypes[operation.kind];
  return {
    ...factsOf(operation, transaction),
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

function factsOf(operation: LandedOperation, transaction: LandedTransaction): Facts {
  if (isOffer(operation)) return offerFacts(operation);
  switch (operation.kind) {
    case 'create_account':
      return {
        starting_balance: formatUnits(operation.units),
        funder: operation.source,
        account: operation.destination,
      };
    case 'change_trust':
      return {
        ...assetView(operation.asset),
        trustee: issuedAsset(operation.asset)?.issuer,
        trustor: operation.source,
        limit: formatUnits(operation.limitUnits),
      };
    case 'extend_footprint_ttl':
      return { extend_to: operation.extendTo };
    case 'begin_sponsoring':
      return { sponsored_id: operation.sponsored };
    case 'end_sponsoring':
      return { begin_sponsor: sponsorOf(operation.source, transaction) };
    case 'restore_footprint':
      return {};
    case 'contract_call':
      return {
        function: 'HostFunctionTypeHostFunctionTypeInvokeContract',
        address: operation.contractId,
        parameters: [],
        asset_balance_changes: operation.balanceChanges.map(balanceChangeFacts),
      };
    default:
      return transferFacts(operation, transaction.failure === undefined);
  }
}

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

function sponsorOf(sponsored: string, { operations }: LandedTransaction): string | undefined {
  return operations.find((each) => each.kind === 'begin_sponsoring' && each.sponsored === sponsored)?.source;
}

type Transferring = Extract<LandedOperation, { kind: 'payment' }> | TransferOperation;

function transferFacts(operation: Transferring, isSuccessful: boolean): Facts {
  switch (operation.kind) {
    case 'payment':
      return {
        ...assetView(operation.asset),
        from: operation.source,
        ...accountFacts('to', operation.to, operation.toMuxed),
        amount: formatUnits(operation.units),
      };
    case 'path_payment_strict_send':
    case 'path_payment_strict_receive':
      return pathPaymentFacts(operation, isSuccessful);
    case 'account_merge':
      return { account: operation.source, ...accountFacts('into', operation.into, operation.intoMuxed) };
    case 'create_claimable_balance':
      return {
        asset: canonicalAsset(operation.asset),
        amount: formatUnits(operation.units),
        claimants: operation.claimants.map((destination) => ({ destination, predicate: unconditional })),
      };
    case 'clawback':
      return {
        ...assetView(operation.asset),
        ...accountFacts('from', operation.from, operation.fromMuxed),
        amount: formatUnits(operation.units),
      };
  }
}

/** What the sender has not fixed is zero in a failed transaction. */
function pathPaymentFacts(operation: PathPayment, isSuccessful: boolean): Facts {
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

function balanceChangeFacts({ type, from, to, toMuxedId, asset, units }: BalanceChange): Facts {
  return { ...assetView(asset), type, from, to, amount: formatUnits(units), destination_muxed_id: toMuxedId };
}

import type { OperationCode } from '../domain/operation-failure.js';
import type { LandedOperation } from '../store/records.js';

type Kind = LandedOperation['kind'];
type KindFacts = {
  readonly type: string;
  readonly type_i: number;
  /** The numbers of its failures in the network's results. */
  readonly failures: Readonly<Partial<Record<OperationCode, number>>>;
};

const paymentFailures = {
  op_malformed: -1,
  op_underfunded: -2,
  op_src_no_trust: -3,
  op_no_destination: -5,
  op_no_trust: -6,
  op_line_full: -8,
  op_no_issuer: -9,
} as const;
const offerFailures = {
  op_malformed: -1,
  op_sell_no_trust: -2,
  op_buy_no_trust: -3,
  op_line_full: -6,
  op_underfunded: -7,
  op_offer_not_found: -11,
  op_low_reserve: -12,
} as const;

/** The names and numbers of the operations on the network. */
export const operationKinds: Readonly<Record<Kind, KindFacts>> = {
  create_account: {
    type: 'create_account',
    type_i: 0,
    failures: { op_malformed: -1, op_underfunded: -2, op_low_reserve: -3, op_already_exists: -4 },
  },
  payment: { type: 'payment', type_i: 1, failures: paymentFailures },
  path_payment_strict_receive: {
    type: 'path_payment_strict_receive',
    type_i: 2,
    failures: { ...paymentFailures, op_too_few_offers: -10, op_over_source_max: -12 },
  },
  manage_sell_offer: { type: 'manage_sell_offer', type_i: 3, failures: offerFailures },
  create_passive_sell_offer: { type: 'create_passive_sell_offer', type_i: 4, failures: offerFailures },
  change_trust: {
    type: 'change_trust',
    type_i: 6,
    failures: { op_malformed: -1, op_no_issuer: -2, op_invalid_limit: -3, op_low_reserve: -4, op_self_not_allowed: -5 },
  },
  account_merge: {
    type: 'account_merge',
    type_i: 8,
    failures: { op_malformed: -1, op_no_account: -2, op_has_sub_entries: -4, op_is_sponsor: -7 },
  },
  manage_buy_offer: { type: 'manage_buy_offer', type_i: 12, failures: offerFailures },
  path_payment_strict_send: {
    type: 'path_payment_strict_send',
    type_i: 13,
    failures: { ...paymentFailures, op_too_few_offers: -10, op_under_dest_min: -12 },
  },
  create_claimable_balance: {
    type: 'create_claimable_balance',
    type_i: 14,
    failures: { op_malformed: -1, op_low_reserve: -2, op_no_trust: -3, op_underfunded: -5 },
  },
  begin_sponsoring: {
    type: 'begin_sponsoring_future_reserves',
    type_i: 16,
    failures: { op_malformed: -1, op_already_sponsored: -2, op_recursive: -3 },
  },
  end_sponsoring: { type: 'end_sponsoring_future_reserves', type_i: 17, failures: { op_not_sponsored: -1 } },
  clawback: { type: 'clawback', type_i: 19, failures: { op_malformed: -1, op_no_trust: -3, op_underfunded: -4 } },
  contract_call: { type: 'invoke_host_function', type_i: 24, failures: { function_trapped: -2, entry_archived: -4 } },
  extend_footprint_ttl: { type: 'extend_footprint_ttl', type_i: 25, failures: { op_malformed: -1 } },
  restore_footprint: { type: 'restore_footprint', type_i: 26, failures: {} },
};

/** Functions for some kinds of operations. */
export type ByKind<Result, More extends readonly unknown[] = []> = {
  readonly [K in Kind]?: (operation: LandedOperation & { readonly kind: K }, ...more: More) => Result;
};

/** Calls the function of the operation's kind; undefined if it has none. */
export function callByKind<Result, More extends readonly unknown[]>(
  functions: ByKind<Result, More>,
  operation: LandedOperation,
  ...more: More
): Result | undefined {
  // eslint-disable-next-line holdfast/no-type-assertion -- the table has the function of this very kind
  const call = functions[operation.kind] as ((operation: LandedOperation, ...rest: More) => Result) | undefined;
  return call?.(operation, ...more);
}

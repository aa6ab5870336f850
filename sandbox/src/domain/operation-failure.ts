export const operationCodes = [
  'op_already_exists',
  'op_underfunded',
  'op_low_reserve',
  'op_malformed',
  'op_no_destination',
  'op_no_trust',
  'op_src_no_trust',
  'op_line_full',
  'op_no_issuer',
  'op_invalid_limit',
  'op_self_not_allowed',
  'op_no_source_account',
  'op_no_account',
  'op_has_sub_entries',
  'op_is_sponsor',
  'op_too_few_offers',
  'op_under_dest_min',
  'op_over_source_max',
  'op_sell_no_trust',
  'op_buy_no_trust',
  'op_offer_not_found',
  'op_already_sponsored',
  'op_recursive',
  'op_not_sponsored',
  'function_trapped',
  'entry_archived',
] as const;
export type OperationCode = (typeof operationCodes)[number];

/** An operation of a valid transaction fails. The transaction lands as failed, and its fee is charged. */
export class OperationFailure extends Error {
  readonly code: OperationCode;

  constructor(code: OperationCode, reason?: string) {
    super(reason ?? code);
    this.name = 'OperationFailure';
    this.code = code;
  }
}

/** The refusal of a contract with its reason. On the network it is a trapped function. */
export function contractRefusal(reason: string): OperationFailure {
  return new OperationFailure('function_trapped', reason);
}

/** The reason of a call on a contract that does not exist. */
export const escrowNotFound = 'Escrow not found';

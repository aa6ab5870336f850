import type { LandedOperation } from '../store/records.js';

const noParties: ReadonlySet<string> = new Set();

/** The addresses whose payments include the operation. As in Horizon, claimable balances and clawbacks are no payments. */
export function paymentParties(operation: LandedOperation): ReadonlySet<string> {
  switch (operation.kind) {
    case 'create_account':
      return new Set([operation.source, operation.destination]);
    case 'payment':
    case 'path_payment_strict_send':
    case 'path_payment_strict_receive':
      return new Set([operation.source, operation.to]);
    case 'account_merge':
      return new Set([operation.source, operation.into]);
    case 'contract_call':
      return new Set(operation.balanceChanges.flatMap(({ from, to }) => [from, to]).filter((address) => address !== undefined));
    default:
      return noParties;
  }
}

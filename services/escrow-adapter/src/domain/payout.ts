import type { CustodyAsset, Money } from '@holdfast/kernel/money';
import { assetOf } from './contract.js';
import type { Payment } from '@holdfast/ledger-network/values';

export type Payout = { readonly amount: Money; readonly to: string; readonly memoHash: string };

/** The destination as the network has it; undefined where it does not exist. An asset is missing without a trustline for it. */
export type Destination = {
  readonly balances: Readonly<Partial<Record<CustodyAsset, bigint>>>;
  /** The owner of the account refuses payments without a memo, as exchanges do. */
  readonly requiresMemo: boolean;
};

export type PayoutPlan =
  { readonly status: 'possible'; readonly payment: Payment } | { readonly status: 'impossible'; readonly reason: string };

const lumens = 10_000_000n;
/** The network's minimum balance of a new account. */
const newAccountUnitsMin = lumens;

/** Plans the payment. Refuses what the network would refuse, with a reason that helps the user. USD is paid in USDC. */
export function planPayout({ amount, to, memoHash }: Payout, destination: Destination | undefined): PayoutPlan {
  const asset = assetOf(amount.currency);
  const { units } = amount;
  if (destination === undefined) return planNewAccount({ to, asset, units, isNewAccount: true, memoHash });
  if (destination.requiresMemo) return impossible('the account requires a memo of its owner, and withdrawals cannot carry one');
  if (destination.balances[asset] === undefined) return impossible(`the account has no trustline for ${asset}`);
  return { status: 'possible', payment: { to, asset, units, isNewAccount: false, memoHash } };
}

function planNewAccount(payment: Payment): PayoutPlan {
  if (payment.asset !== 'XLM')
    return impossible(`the account does not exist on the ledger network, so it cannot hold ${payment.asset}`);
  if (payment.units < newAccountUnitsMin)
    return impossible('the account does not exist on the ledger network, and creating it takes at least 1 XLM');
  return { status: 'possible', payment };
}

function impossible(reason: string): PayoutPlan {
  return { status: 'impossible', reason };
}

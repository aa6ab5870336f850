import { balanceEscrowSettled, type Envelope } from '@holdfast/contracts/messages';
import type { Published } from '@holdfast/contracts/sagas';
import { formatUnits, parseMoney, type Currency } from '@holdfast/kernel/money';
import { isId, type MessageId, type UserId } from '@holdfast/kernel/ids';
import type { Account } from '../domain/accounts.js';
import type { Deps, RepliedChanges } from './ports.js';
import { postMessage } from './post-request.js';
import { balanceReply, contradiction } from './replies.js';

export type Payout = { readonly userId: UserId; readonly amount: string; readonly source: string };

export type Settlement = {
  readonly orderId: string;
  /** Given if one milestone was paid out. */
  readonly milestoneRef?: string;
  readonly currency: Currency;
  readonly payouts: readonly Payout[];
  readonly fee: string;
  /** What the payees read in their history. */
  readonly description: string;
  /** An operator's correction of this payout, which could not be recorded. */
  readonly corrects?: MessageId;
};

/** What the payout of an escrow account publishes. */
export type EscrowPayout = 'balance.credited' | 'balance.escrow_settled' | 'balance.settlement_contradicted';

/** Pays out an order's escrow account, or a part of it, as the contract did, and replies with the balances after it. */
export function settleEscrow(
  deps: Deps,
  message: Envelope,
  { orderId, milestoneRef, currency, payouts, fee, description, corrects }: Settlement,
): Promise<Published<EscrowPayout>> {
  const about = { orderId, ...(milestoneRef === undefined ? {} : { milestoneRef }), currency };
  return postMessage(deps, message, {
    // The cause of a correction is the payout that it corrects, so that at most one of them is recorded.
    ...(corrects === undefined ? {} : { cause: corrects }),
    type: 'ESCROW_PAYOUT',
    description,
    instruction: {
      does: 'settle',
      orderId,
      payouts: payouts.map((payout) => ({ ...payout, amount: parseMoney(payout.amount, currency) })),
      fee: parseMoney(fee, currency),
      ...(corrects === undefined ? {} : { isCorrection: true }),
    },
    orderId,
    milestoneRef,
    reply: {
      done: (user, { balanceChanges }) =>
        balanceReply(balanceEscrowSettled, user, { ...about, fee, payouts: payoutsOf(user, balanceChanges) }),
      refused: contradiction(about),
    },
  });
}

/** The first payee is always in the reply, with an amount of zero if it got nothing, because orders publishes its balance. */
function payoutsOf(first: Account, balanceChanges: RepliedChanges['balanceChanges']) {
  const payouts = balanceChanges.map(({ after, units }) => payoutOf(after, units));
  return payouts.some(({ userId }) => userId === first.owner) ? payouts : [payoutOf(first, 0n), ...payouts];
}

function payoutOf({ owner, availableUnits }: Account, units: bigint) {
  if (!isId(owner, 'usr')) throw new Error(`The escrow account cannot pay to ${owner}, which is not a user.`);
  return { userId: owner, amount: formatUnits(units), newAvailableBalance: formatUnits(availableUnits) };
}

import type { Payload, withdrawalLedgerPayoutRequested } from '@holdfast/contracts/messages';
import { toInstant } from '@holdfast/kernel/context';
import { createdAtMsOf } from '@holdfast/kernel/ids';
import { assetOf } from '../domain/contract.js';
import type { Payout } from '../domain/payout.js';
import type { Deps } from './ports.js';

type PayoutRequest = Payload<typeof withdrawalLedgerPayoutRequested>;

export type EarlierPayout =
  | { readonly status: 'none' }
  | { readonly status: 'paid'; readonly transactionHash: string }
  /** A person must look: paying could be paying twice. */
  | { readonly status: 'unclear' };

/** The clocks of this platform and of the network may differ. */
const clockDifferenceMsMax = 600_000;

/**
 * Looks on the network whether the withdrawal was paid. The stored transactions tell it in every other case, but after a restore from a
 * backup the payments since the backup are unknown here. A payment with the memo that is not what we would have paid is never counted.
 */
export async function findEarlierPayout(
  { network, wallets, log }: Pick<Deps, 'network' | 'wallets' | 'log'>,
  { withdrawalId }: Pick<PayoutRequest, 'withdrawalId'>,
  { amount, to, memoHash }: Payout,
): Promise<EarlierPayout> {
  const since = toInstant(Math.max(0, createdAtMsOf(withdrawalId) - clockDifferenceMsMax));
  const payments = await network.paymentsWithMemo({ to, memoHash, since });
  if (payments?.length === 0) return { status: 'none' };
  const asset = assetOf(amount.currency);
  const matching = (payments ?? []).flatMap(({ transactionHash, transfers }) =>
    transfers
      .filter((transfer) => transfer.to === to && transfer.asset === asset && transfer.units === amount.units)
      .map(({ from }) => ({ transactionHash, from })),
  );
  const [only] = matching;
  if (only === undefined || matching.length > 1 || !(await wallets.isOwnAddress(only.from))) {
    log.error({ withdrawalId, to, payments: payments?.length }, 'a payout waits: it may have been paid, and a person must look');
    return { status: 'unclear' };
  }
  log.warn({ withdrawalId, transactionHash: only.transactionHash }, 'a payout was found on the network and is not paid again');
  return { status: 'paid', transactionHash: only.transactionHash };
}

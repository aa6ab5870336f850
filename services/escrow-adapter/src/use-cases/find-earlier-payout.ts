import type { Payload, withdrawalLedgerPayoutRequested } from '@holdfast/contracts/messages';
import { toInstant } from '@holdfast/kernel/context';
import { createdAtMsOf } from '@holdfast/kernel/ids';
import { assetOf } from '../domain/contract.js';
import type { Payout } from '../domain/payout.js';
import type { Deps } from './ports.js';
import type { SoughtPayments } from '@holdfast/ledger-network/horizon';

type PayoutRequest = Payload<typeof withdrawalLedgerPayoutRequested>;

export type EarlierPayout =
  | { readonly status: 'none' }
  | { readonly status: 'paid'; readonly transactionHash: string }
  /** The history of the payers is long. The next run continues. */
  | { readonly status: 'searching' }
  /** A person must look: paying could be paying twice. */
  | { readonly status: 'unclear' };

/** The clocks of this platform and of the network may differ. */
const clockDifferenceMsMax = 600_000;

/**
 * Looks on the network whether the withdrawal was paid. The stored transactions tell it in every other case, but after a restore from a
 * backup the payments since the backup are unknown here. Only the accounts that pay withdrawals are searched: any stranger can fill the
 * history of the receiver. A payment with the memo that is not what we would have paid is never counted.
 */
export async function findEarlierPayout(
  { network, wallets, log }: Pick<Deps, 'network' | 'wallets' | 'log'>,
  { withdrawalId, userId }: Pick<PayoutRequest, 'withdrawalId' | 'userId'>,
  { amount, to, memoHash }: Payout,
): Promise<EarlierPayout> {
  const sought = await searchOf({ wallets }, { withdrawalId, userId }, memoHash);
  const { payers } = sought;
  const hashes = await network.findPayments(sought);
  if (hashes === undefined) return { status: 'searching' };
  const [transactionHash] = hashes;
  if (transactionHash === undefined) return { status: 'none' };
  const asset = assetOf(amount.currency);
  const transfers = hashes.length > 1 ? [] : await network.transfers(transactionHash);
  const matching = transfers.filter(
    (transfer) =>
      payers.includes(transfer.from) && transfer.to === to && transfer.asset === asset && transfer.units === amount.units,
  );
  if (matching.length !== 1) {
    log.error({ withdrawalId, to, transactions: hashes }, 'a payout waits: it may have been paid, and a person must look');
    return { status: 'unclear' };
  }
  log.warn({ withdrawalId, transactionHash }, 'a payout was found on the network and is not paid again');
  return { status: 'paid', transactionHash };
}

/** The accounts that could have paid a withdrawal, and the time from which on. */
export async function searchOf(
  { wallets }: Pick<Deps, 'wallets'>,
  { withdrawalId, userId }: Pick<PayoutRequest, 'withdrawalId' | 'userId'>,
  memoHash: string,
): Promise<SoughtPayments> {
  const since = toInstant(Math.max(0, createdAtMsOf(withdrawalId) - clockDifferenceMsMax));
  return { payers: await wallets.payersOf(userId), memoHash, since };
}

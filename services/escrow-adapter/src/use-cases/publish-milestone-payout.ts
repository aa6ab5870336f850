import { refundMilestoneSaga, releaseMilestoneSaga } from '@holdfast/contracts/sagas';
import type { Envelope } from '@holdfast/contracts/messages';
import { feeOf, formatMoney, money } from '@holdfast/kernel/money';
import { transferMismatch, type LedgerTransfer } from '@holdfast/ledger-network/values';
import type { Tx } from '@holdfast/postgres';
import type { WebhookEvent } from '@holdfast/webhook-inbox';
import { isDeployed, type Contract } from '../domain/contract.js';
import { changedContract, withSettled } from '../domain/contract-change.js';
import { payoutEvents, payoutReply, type MilestonePayout } from './milestone-payout.js';
import type { Deps } from './ports.js';

type Recipient = 'buyer' | 'seller';

/** A milestone that was paid out outside this platform. */
type PaidMilestone = {
  readonly contract: Contract;
  readonly index: number;
  /** The event that caused the check. */
  readonly eventId: WebhookEvent['id'] | undefined;
};

/**
 * Publishes a payout as its intent would have, in the saga that handles it and without a run, because no service started one. The
 * messages are stored, so that they are the reply to a later command.
 */
export async function publishMilestonePayout(
  deps: Deps,
  tx: Tx,
  { contract, index, eventId }: PaidMilestone,
  recipient: Recipient,
): Promise<Contract> {
  const { escrowId, orderId, marketplaceId, milestonesSettled } = contract;
  const payout = payoutTo(deps, contract, index, recipient);
  const decision = recipient === 'seller' ? 'RELEASE' : 'REFUND';
  const change = withSettled(contract, [...milestonesSettled, { index, decision }]);
  const messages = [...payoutEvents(changedContract(contract, change), payout), payoutReply(contract, payout)];
  const changed = deps.contracts.change(tx, contract, change, messages.length);
  const published: Envelope[] = [];
  for (const [position, { declaration, payload }] of messages.entries()) {
    const id = deps.newId('evt');
    const message = {
      declaration,
      payload,
      id,
      escrowId,
      ...(declaration.aggregateType === 'Order' ? { orderId } : {}),
      marketplaceId,
      correlationId: eventId ?? published[0]?.id ?? id,
      version: contract.version + position + 1,
      afterEventId: published.at(-1)?.id,
      saga: recipient === 'seller' ? releaseMilestoneSaga.name : refundMilestoneSaga.name,
    };
    published.push(await deps.publish(tx, message));
  }
  deps.contracts.saveMilestonePayout(tx, escrowId, index, published);
  return changed;
}

/** The fee of a release is the fee on the milestone alone, rounded down to the cent. */
function payoutTo({ clock }: Deps, contract: Contract, index: number, recipient: Recipient): MilestonePayout {
  const { milestones, amount: total, platformFeeBasisPoints } = contract;
  const milestone = milestones[index];
  if (milestone === undefined) throw new RangeError('the contract has no such milestone');
  const units = money(milestone.units, total.currency);
  const [amount, none] = [formatMoney(units), '0.00'];
  const ofMilestone = { milestoneRef: milestone.ref, amount, cause: null, at: clock.now() };
  return recipient === 'seller'
    ? {
        ...ofMilestone,
        sellerAmount: amount,
        buyerAmount: none,
        platformFee: formatMoney(feeOf(units, BigInt(platformFeeBasisPoints))),
      }
    : { ...ofMilestone, sellerAmount: none, buyerAmount: amount, platformFee: none };
}

/** The account that got the whole amount of a milestone, less the fees, by the transfers of the transaction that resolved it. */
export function recipientOfMilestone(
  { expectations }: Deps,
  contract: Contract,
  index: number,
  transfers: readonly LedgerTransfer[],
): Recipient | undefined {
  const milestone = contract.milestones[index];
  if (!isDeployed(contract) || milestone === undefined) return undefined;
  const isPaidTo = (to: Recipient): boolean => {
    const step = { does: 'resolve', index, distributions: [{ to, units: milestone.units }] } as const;
    return transferMismatch(expectations.transfers(contract, step), transfers) === undefined;
  };
  return (['buyer', 'seller'] as const).find(isPaidTo);
}

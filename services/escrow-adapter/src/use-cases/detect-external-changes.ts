import {
  escrowDisputeSeen,
  escrowMilestoneSeen,
  escrowRefunded,
  escrowReleased,
  type MessageDeclaration,
  type Payload,
} from '@holdfast/contracts/messages';
import { refundSaga, releaseSaga } from '@holdfast/contracts/sagas';
import { feeOf, formatMoney, subtract } from '@holdfast/kernel/money';
import type { Tx } from '@holdfast/postgres';
import type { WebhookEvent } from '@holdfast/webhook-inbox';
import { isDeployed, type Contract } from '../domain/contract.js';
import type { ContractChange } from '../domain/contract-change.js';
import type { ContractState } from '../domain/contract-state.js';
import { externalChanges, type ExternalChange } from '../domain/external-changes.js';
import { transferMismatch, type LedgerTransfer } from '@holdfast/ledger-network/values';
import type { Deps } from './ports.js';
import { publishMilestonePayout, recipientOfMilestone } from './publish-milestone-payout.js';
import { readState } from './read-state.js';

/** The event that caused the check, and the transaction that it names, as the network has it. */
type Source = {
  readonly eventId: WebhookEvent['id'];
  readonly landed?: { readonly ledger: number; readonly transfers: readonly LedgerTransfer[] } | undefined;
  /** The index of the milestone that the transaction has resolved. */
  readonly resolved?: number | undefined;
};

/** Reads the contract and publishes changes that no intent of this service caused. Returns a summary for the event's `note`. */
export async function detectExternalChanges(deps: Deps, contract: Contract, source?: Source): Promise<string> {
  if (!isDeployed(contract)) return 'not deployed';
  const sinceLedger = source?.landed?.ledger;
  const state = await readState(deps, contract, sinceLedger === undefined ? {} : { sinceLedger });
  return publishExternalChanges(deps, contract, state, source);
}

export async function publishExternalChanges(
  deps: Deps,
  contract: Contract,
  state: ContractState,
  source?: Source,
): Promise<string> {
  if (externalChanges(contract, state).length === 0) return 'no change';
  return deps.inTransaction(async (tx) => {
    let current = await deps.contracts.lock(tx, contract.escrowId);
    const open = await deps.intents.findOpenParts(tx, contract.escrowId);
    const changes = externalChanges(current, state).filter((change) => !mayBeCausedBy(open, current, change));
    if (open.length > 0 && changes.length === 0) return 'intent open';
    for (const change of changes) current = await publishChange(deps, tx, { contract: current, change, source });
    return changes.map(({ kind }) => kind).join(', ');
  });
}

/** An open intent may have caused the change; the next check runs after the intent is closed. */
function mayBeCausedBy(
  open: readonly (string | undefined)[],
  { releaseMode, milestones }: Contract,
  { index }: ExternalChange,
): boolean {
  const ref = releaseMode === 'milestone' && index !== undefined ? milestones[index]?.ref : undefined;
  return open.some((part) => part === undefined || ref === undefined || part === ref);
}

type DetectedChange = { readonly contract: Contract; readonly change: ExternalChange; readonly source: Source | undefined };

async function publishChange(deps: Deps, tx: Tx, detected: DetectedChange): Promise<Contract> {
  const { contract, change } = detected;
  const { escrowId, orderId, milestonesKnown } = contract;
  switch (change.kind) {
    case 'milestone': {
      const milestoneRef = contract.milestones[change.index]?.ref;
      if (milestoneRef === undefined) return contract;
      return publish(deps, tx, detected, {
        declaration: escrowMilestoneSeen,
        payload: { escrowId, orderId, milestoneRef },
        change: { milestonesKnown: [...milestonesKnown, change.index] },
      });
    }
    case 'disputed':
      return publishDisputed(deps, tx, detected, change.index);
    case 'released':
      return change.index === undefined
        ? publishReleased(deps, tx, detected)
        : publishMilestonePayout(deps, tx, { contract, index: change.index, eventId: detected.source?.eventId }, 'seller');
    case 'resolved':
      return change.index === undefined
        ? publishResolved(deps, tx, detected)
        : publishResolvedMilestone(deps, tx, detected, change.index);
  }
}

function publishDisputed(deps: Deps, tx: Tx, detected: DetectedChange, index: number | undefined): Promise<Contract> {
  const { escrowId, orderId, milestones, disputesKnown } = detected.contract;
  const milestoneRef = index === undefined ? undefined : milestones[index]?.ref;
  return publish(deps, tx, detected, {
    declaration: escrowDisputeSeen,
    payload: { escrowId, orderId, ...(milestoneRef === undefined ? {} : { milestoneRef }) },
    change: index === undefined ? { isDisputeKnown: true } : { disputesKnown: [...disputesKnown, index] },
  });
}

/** As for a whole contract, the transaction that resolved exactly this milestone must show its recipient. Otherwise a person must look. */
async function publishResolvedMilestone(deps: Deps, tx: Tx, detected: DetectedChange, index: number): Promise<Contract> {
  const { contract, source } = detected;
  const { escrowId, orderId, milestones } = contract;
  const transfers = source?.resolved === index ? source.landed?.transfers : undefined;
  const recipient = transfers === undefined ? undefined : recipientOfMilestone(deps, contract, index, transfers);
  if (recipient !== undefined) return publishMilestonePayout(deps, tx, { contract, index, eventId: source?.eventId }, recipient);
  const milestoneRef = milestones[index]?.ref;
  deps.log.error({ escrowId, orderId, milestoneRef }, 'milestone resolved outside this platform; its recipient is unknown');
  return contract;
}

function publishReleased(deps: Deps, tx: Tx, detected: DetectedChange): Promise<Contract> {
  const { escrowId, orderId, amount, sellerId, platformFeeBasisPoints } = detected.contract;
  const fee = feeOf(amount, BigInt(platformFeeBasisPoints));
  const payload = {
    escrowId,
    orderId,
    amount: formatMoney(amount),
    currency: amount.currency,
    sellerId,
    platformFee: formatMoney(fee),
    netAmount: formatMoney(subtract(amount, fee)),
    releasedAt: deps.clock.now(),
  };
  return publish(deps, tx, detected, {
    declaration: escrowReleased,
    payload,
    saga: releaseSaga.name,
    change: { move: 'settle' },
  });
}

/**
 * The contract's flags do not say whom a resolution paid; the transfers of its transaction do. Without one that paid everything to
 * one party a person must look: only the platform's key can sign a resolution, so it was used outside this service.
 */
async function publishResolved(deps: Deps, tx: Tx, detected: DetectedChange): Promise<Contract> {
  const { contract, source } = detected;
  const { escrowId, orderId, amount, buyerId } = contract;
  const recipient = recipientOf(deps, contract, source?.landed?.transfers ?? []);
  if (recipient === 'seller') return publishReleased(deps, tx, detected);
  if (recipient === undefined) {
    deps.log.error({ escrowId, orderId }, 'contract resolved outside this platform; its recipient is unknown');
    return contract;
  }
  const payload = {
    escrowId,
    orderId,
    amount: formatMoney(amount),
    currency: amount.currency,
    buyerId,
    refundedAt: deps.clock.now(),
  };
  return publish(deps, tx, detected, { declaration: escrowRefunded, payload, saga: refundSaga.name, change: { move: 'settle' } });
}

/** The account that got the whole amount of a single-release contract, less the fees. */
function recipientOf(
  { expectations }: Deps,
  contract: Contract,
  transfers: readonly LedgerTransfer[],
): 'buyer' | 'seller' | undefined {
  if (!isDeployed(contract) || contract.type !== 'single-release') return undefined;
  const isPaidTo = (to: 'buyer' | 'seller'): boolean => {
    const distributions = [{ to, units: contract.amount.units }];
    return transferMismatch(expectations.transfers(contract, { does: 'resolve', distributions }), transfers) === undefined;
  };
  return (['buyer', 'seller'] as const).find(isPaidTo);
}

type ExternalMessage<M extends MessageDeclaration> = {
  readonly declaration: M;
  readonly payload: Payload<M>;
  /** The saga that handles the message. It has no run, because no service started one. */
  readonly saga?: string;
  readonly change: ContractChange;
};

async function publish<M extends MessageDeclaration>(
  deps: Deps,
  tx: Tx,
  { contract, source }: DetectedChange,
  external: ExternalMessage<M>,
): Promise<Contract> {
  const { escrowId, marketplaceId } = contract;
  const { declaration, payload, saga, change } = external;
  // The same commit records the change on the locked contract, so no other commit publishes it.
  const id = deps.newId('evt');
  const changed = deps.contracts.change(tx, contract, change);
  const { version } = changed;
  const message = { declaration, payload, id, escrowId, marketplaceId, correlationId: source?.eventId ?? id, version };
  const published = await deps.publish(tx, saga === undefined ? message : { ...message, saga });
  if (change.move === 'settle') deps.contracts.saveExternalPayout(tx, escrowId, published);
  return changed;
}

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
import { isDeployed, type Contract } from '../domain/contract.js';
import type { ContractState } from '../domain/contract-state.js';
import { externalChanges, type ExternalChange } from '../domain/external-changes.js';
import { externalEventId } from './external-event-id.js';
import type { ContractChange, Deps, ProviderEvent } from './ports.js';
import { readState } from './read-state.js';

type SourceEvent = Pick<ProviderEvent, 'type' | 'isSigned' | 'id'>;

/** Behind everything that somebody waits for. */
const backgroundPriority = 9;

/** Reads the contract, and tells what happened to it that nobody here asked for. Says in a word what it found. */
export async function detectExternalChanges(deps: Deps, contract: Contract, source?: SourceEvent): Promise<string> {
  if (!isDeployed(contract)) return 'not deployed';
  const state = await readState(deps, contract, { priority: backgroundPriority });
  return publishExternalChanges(deps, contract, state, source);
}

export async function publishExternalChanges(
  deps: Deps,
  contract: Contract,
  state: ContractState,
  source?: SourceEvent,
): Promise<string> {
  if (externalChanges(contract, state).length === 0) return 'nothing new';
  return deps.inTransaction(async (tx) => {
    let current = await deps.contracts.lock(tx, contract.escrowId);
    // What was read may be our own doing by now; the intent knows, and the next look comes after it.
    if ((await deps.intents.findOpen(contract.escrowId, tx)) !== undefined) return 'being worked on';
    const changes = externalChanges(current, state);
    for (const change of changes) current = await publishChange(deps, tx, { contract: current, change, source });
    return changes.map(({ kind }) => kind).join(', ');
  });
}

type DetectedChange = { readonly contract: Contract; readonly change: ExternalChange; readonly source: SourceEvent | undefined };

async function publishChange(deps: Deps, tx: Tx, seen: DetectedChange): Promise<Contract> {
  const { contract, change: fact } = seen;
  const { escrowId, orderId, milestonesKnown } = contract;
  switch (fact.kind) {
    case 'milestone': {
      const milestoneRef = contract.milestones[fact.index]?.ref;
      if (milestoneRef === undefined) return contract;
      const change = { milestonesKnown: [...milestonesKnown, fact.index] };
      return publish(deps, tx, seen, { declaration: escrowMilestoneSeen, payload: { escrowId, orderId, milestoneRef }, change });
    }
    case 'disputed':
      return publish(deps, tx, seen, {
        declaration: escrowDisputeSeen,
        payload: { escrowId, orderId },
        change: { isDisputeKnown: true },
      });
    case 'released':
      return publishReleased(deps, tx, seen);
    case 'resolved':
      return publishResolved(deps, tx, seen);
  }
}

function publishReleased(deps: Deps, tx: Tx, seen: DetectedChange): Promise<Contract> {
  const { escrowId, orderId, amount, sellerId, platformFeeBasisPoints } = seen.contract;
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
  return publish(deps, tx, seen, { declaration: escrowReleased, payload, saga: releaseSaga.name, change: { move: 'settle' } });
}

/**
 * A resolution does not say on the contract whom it paid. A signed event of the provider does; without one a person must look,
 * for the platform's own key signs resolutions, and whoever used it elsewhere knows why.
 */
async function publishResolved(deps: Deps, tx: Tx, seen: DetectedChange): Promise<Contract> {
  const { contract, source } = seen;
  const { escrowId, orderId, amount, buyerId } = contract;
  const eventType = source?.isSigned === true ? source.type : undefined;
  if (eventType === 'escrow.released') return publishReleased(deps, tx, seen);
  if (eventType !== 'escrow.refunded') {
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
  return publish(deps, tx, seen, { declaration: escrowRefunded, payload, saga: refundSaga.name, change: { move: 'settle' } });
}

type ExternalMessage<M extends MessageDeclaration> = {
  readonly declaration: M;
  readonly payload: Payload<M>;
  /** The saga that it enters, without a run: nobody here started it. */
  readonly saga?: string;
  readonly change: ContractChange;
};

async function publish<M extends MessageDeclaration>(
  deps: Deps,
  tx: Tx,
  { contract, change: fact, source }: DetectedChange,
  external: ExternalMessage<M>,
): Promise<Contract> {
  const { escrowId, marketplaceId } = contract;
  const { declaration, payload, saga, change } = external;
  const id = externalEventId(escrowId, declaration.type, 'index' in fact ? String(fact.index) : '');
  const changed = deps.contracts.change(tx, contract, change);
  const { version } = changed;
  const message = { declaration, payload, id, escrowId, marketplaceId, correlationId: source?.id ?? id, version };
  await deps.publish(tx, saga === undefined ? message : { ...message, saga });
  return changed;
}

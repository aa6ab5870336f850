import {
  escrowDisputeSeen,
  escrowMilestoneSeen,
  escrowRefunded,
  escrowReleased,
  type MessageDeclaration,
  type Payload,
} from '@holdfast/shared/contracts/messages';
import { refundSaga, releaseSaga } from '@holdfast/shared/sagas';
import { feeOf, formatMoney, subtract } from '@holdfast/shared/money';
import type { Tx } from '@holdfast/shared/postgres';
import { isDeployed, type Contract } from '../domain/contract.js';
import type { ContractState } from '../domain/contract-state.js';
import { outsideFacts, type OutsideFact } from '../domain/outside-facts.js';
import { factId } from './fact-id.js';
import type { ContractChange, Deps, ProviderEvent } from './ports.js';
import { readState } from './read-state.js';

type Hint = Pick<ProviderEvent, 'type' | 'isSigned' | 'id'>;

/** Behind everything that somebody waits for. */
const leastUrgent = 9;

/** Reads the contract, and tells what happened to it that nobody here asked for. Says in a word what it found. */
export async function lookForOutsideFacts(deps: Deps, contract: Contract, hint?: Hint): Promise<string> {
  if (!isDeployed(contract)) return 'not deployed';
  const state = await readState(deps, contract, { priority: leastUrgent });
  return tellOutsideFacts(deps, contract, state, hint);
}

export async function tellOutsideFacts(deps: Deps, contract: Contract, state: ContractState, hint?: Hint): Promise<string> {
  if (outsideFacts(contract, state).length === 0) return 'nothing new';
  return deps.inTransaction(async (tx) => {
    let current = await deps.contracts.lock(tx, contract.escrowId);
    // What was read may be our own doing by now; the intent knows, and the next look comes after it.
    if ((await deps.intents.openOf(contract.escrowId, tx)) !== undefined) return 'being worked on';
    const facts = outsideFacts(current, state);
    for (const fact of facts) current = await tellFact(deps, tx, { contract: current, fact, hint });
    return facts.map(({ fact }) => fact).join(', ');
  });
}

type Seen = { readonly contract: Contract; readonly fact: OutsideFact; readonly hint: Hint | undefined };

async function tellFact(deps: Deps, tx: Tx, seen: Seen): Promise<Contract> {
  const { contract, fact } = seen;
  const { escrowId, orderId, milestonesKnown } = contract;
  switch (fact.fact) {
    case 'milestone': {
      const milestoneRef = contract.milestones[fact.index]?.ref;
      if (milestoneRef === undefined) return contract;
      const change = { milestonesKnown: [...milestonesKnown, fact.index] };
      return tell(deps, tx, seen, { declaration: escrowMilestoneSeen, payload: { escrowId, orderId, milestoneRef }, change });
    }
    case 'disputed':
      return tell(deps, tx, seen, {
        declaration: escrowDisputeSeen,
        payload: { escrowId, orderId },
        change: { isDisputeKnown: true },
      });
    case 'released':
      return tellReleased(deps, tx, seen);
    case 'resolved':
      return tellResolved(deps, tx, seen);
  }
}

function tellReleased(deps: Deps, tx: Tx, seen: Seen): Promise<Contract> {
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
  return tell(deps, tx, seen, { declaration: escrowReleased, payload, saga: releaseSaga.name, change: { move: 'settle' } });
}

/**
 * A resolution does not say on the contract whom it paid. A signed event of the provider does; without one a person must look,
 * for the platform's own key signs resolutions, and whoever used it elsewhere knows why.
 */
async function tellResolved(deps: Deps, tx: Tx, seen: Seen): Promise<Contract> {
  const { contract, hint } = seen;
  const { escrowId, orderId, amount, buyerId } = contract;
  const said = hint?.isSigned === true ? hint.type : undefined;
  if (said === 'escrow.released') return tellReleased(deps, tx, seen);
  if (said !== 'escrow.refunded') {
    deps.log.error({ escrowId, orderId }, 'a contract was resolved outside of us, and nobody says whom it paid');
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
  return tell(deps, tx, seen, { declaration: escrowRefunded, payload, saga: refundSaga.name, change: { move: 'settle' } });
}

type News<M extends MessageDeclaration> = {
  readonly declaration: M;
  readonly payload: Payload<M>;
  /** The saga that it enters, without a run: nobody here started it. */
  readonly saga?: string;
  readonly change: ContractChange;
};

async function tell<M extends MessageDeclaration>(
  deps: Deps,
  tx: Tx,
  { contract, fact, hint }: Seen,
  news: News<M>,
): Promise<Contract> {
  const { escrowId, marketplaceId } = contract;
  const { declaration, payload, saga, change } = news;
  const id = factId(escrowId, declaration.type, 'index' in fact ? String(fact.index) : '');
  const changed = deps.contracts.change(tx, contract, change);
  const { version } = changed;
  const message = { declaration, payload, id, escrowId, marketplaceId, correlationId: hint?.id ?? id, version };
  await deps.tell(tx, saga === undefined ? message : { ...message, saga });
  return changed;
}

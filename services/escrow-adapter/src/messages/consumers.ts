import { createEscrowSaga, fundSaga, refundSaga, releaseSaga, resolveDisputeSaga } from '@holdfast/contracts/sagas';
import { bind, consume, type BoundConsumer } from '@holdfast/service-host';
import { handleDeployRequested } from '../use-cases/handle-deploy-requested.js';
import { handleReservedDeducted } from '../use-cases/handle-reserved-deducted.js';
import { handleSettlementRequested } from '../use-cases/handle-settlement-requested.js';
import { handleUserChanged } from '../use-cases/handle-user-changed.js';
import type { Deps } from '../use-cases/ports.js';

/** Saga step or message → use case. */
export function consumersOf(deps: Deps): readonly BoundConsumer[] {
  return [
    bind(createEscrowSaga, 'escrow-adapter', { deploy: (message, ctx) => handleDeployRequested(deps, message, ctx) }),
    bind(fundSaga, 'escrow-adapter', { fund: (message) => handleReservedDeducted(deps, message) }),
    bind(releaseSaga, 'escrow-adapter', { settle: (message) => handleSettlementRequested(deps, message) }),
    bind(refundSaga, 'escrow-adapter', { settle: (message) => handleSettlementRequested(deps, message) }),
    bind(resolveDisputeSaga, 'escrow-adapter', { settle: (message) => handleSettlementRequested(deps, message) }),
    consume('escrow-adapter', {
      userCreated: (message, ctx) => handleUserChanged(deps, message, ctx),
      userChanged: (message, ctx) => handleUserChanged(deps, message, ctx),
    }),
  ].flat();
}

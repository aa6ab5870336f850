import { createEscrowSaga, fundSaga, refundSaga, releaseSaga, resolveDisputeSaga } from '@holdfast/shared/sagas';
import { bind, consume, type BoundConsumer } from '@holdfast/shared/service-host';
import { noteDeployRequested } from '../use-cases/note-deploy-requested.js';
import { noteReservedDeducted } from '../use-cases/note-reserved-deducted.js';
import { noteSettlementRequested } from '../use-cases/note-settlement-requested.js';
import { noteUser } from '../use-cases/note-user.js';
import type { Deps } from '../use-cases/ports.js';

/** Saga step or message → use case. */
export function consumersOf(deps: Deps): readonly BoundConsumer[] {
  return [
    bind(createEscrowSaga, 'escrow-adapter', { deploy: (message, ctx) => noteDeployRequested(deps, message, ctx) }),
    bind(fundSaga, 'escrow-adapter', { fund: (message) => noteReservedDeducted(deps, message) }),
    bind(releaseSaga, 'escrow-adapter', { settle: (message) => noteSettlementRequested(deps, message) }),
    bind(refundSaga, 'escrow-adapter', { settle: (message) => noteSettlementRequested(deps, message) }),
    bind(resolveDisputeSaga, 'escrow-adapter', { settle: (message) => noteSettlementRequested(deps, message) }),
    consume('escrow-adapter', {
      userCreated: (message, ctx) => noteUser(deps, message, ctx),
      userChanged: (message, ctx) => noteUser(deps, message, ctx),
    }),
  ].flat();
}

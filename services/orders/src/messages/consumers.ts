import type { balanceEscrowSettled, escrowRefunded, escrowReleased } from '@holdfast/shared/contracts/messages';
import {
  cancelSaga,
  createEscrowSaga,
  fundSaga,
  refundSaga,
  releaseSaga,
  reserveSaga,
  resolveDisputeSaga,
} from '@holdfast/shared/sagas';
import { bind, consume, type BoundConsumer, type Handler } from '@holdfast/shared/service-host';
import { noteCreationFailed } from '../use-cases/note-creation-failed.js';
import { noteCreationUnconfirmed } from '../use-cases/note-creation-unconfirmed.js';
import { noteDeductionRefused } from '../use-cases/note-deduction-refused.js';
import { noteDeductionRestored } from '../use-cases/note-deduction-restored.js';
import { noteDisputeSeen } from '../use-cases/note-dispute-seen.js';
import { noteEscrowCreated } from '../use-cases/note-escrow-created.js';
import { noteEscrowFunded } from '../use-cases/note-escrow-funded.js';
import { noteEscrowRefunded, noteEscrowReleased } from '../use-cases/note-escrow-paid-out.js';
import { noteEscrowSettled } from '../use-cases/note-escrow-settled.js';
import { noteHoldFreed } from '../use-cases/note-hold-freed.js';
import { noteHoldPlaced } from '../use-cases/note-hold-placed.js';
import { noteHoldRefused } from '../use-cases/note-hold-refused.js';
import { noteMilestoneSeen } from '../use-cases/note-milestone-seen.js';
import { noteSettlementFailed } from '../use-cases/note-settlement-failed.js';
import type { Deps } from '../use-cases/ports.js';

/** Saga step or message → use case. */
export function consumersOf(deps: Deps): readonly BoundConsumer[] {
  return [
    bind(reserveSaga, 'orders', {
      finish: (message, ctx) => noteHoldPlaced(deps, message, ctx),
      refuse: (message, ctx) => noteHoldRefused(deps, message, ctx),
    }),
    bind(cancelSaga, 'orders', { finish: (message, ctx) => noteHoldFreed(deps, message, ctx) }),
    bind(createEscrowSaga, 'orders', {
      finish: (message, ctx) => noteEscrowCreated(deps, message, ctx),
      answerUnconfirmed: (message, ctx) => noteCreationUnconfirmed(deps, message, ctx),
      revert: (message, ctx) => noteCreationFailed(deps, message, ctx),
    }),
    bind(fundSaga, 'orders', {
      finish: (message, ctx) => noteEscrowFunded(deps, message, ctx),
      refuse: (message, ctx) => noteDeductionRefused(deps, message, ctx),
      revert: (message, ctx) => noteDeductionRestored(deps, message, ctx),
    }),
    ...settlementConsumers(deps),
    consume('orders', {
      userCreated: (message, ctx) => deps.users.hear(message, ctx),
      userChanged: (message, ctx) => deps.users.hear(message, ctx),
      escrowDisputeSeen: (message, ctx) => noteDisputeSeen(deps, message, ctx),
      escrowMilestoneSeen: (message, ctx) => noteMilestoneSeen(deps, message, ctx),
    }),
  ].flat();
}

/** The sagas that pay a contract out. An order ends once its contract and the books have both paid. */
function settlementConsumers(deps: Deps): readonly (readonly BoundConsumer[])[] {
  const released: Handler<typeof escrowReleased> = (message, ctx) => noteEscrowReleased(deps, message, ctx);
  const refunded: Handler<typeof escrowRefunded> = (message, ctx) => noteEscrowRefunded(deps, message, ctx);
  const settled: Handler<typeof balanceEscrowSettled> = (message, ctx) => noteEscrowSettled(deps, message, ctx);
  return [
    bind(releaseSaga, 'orders', {
      finish: [released, settled],
      revert: (message, ctx) => noteSettlementFailed(deps, message, ctx),
    }),
    bind(refundSaga, 'orders', {
      finish: [refunded, settled],
      revert: (message, ctx) => noteSettlementFailed(deps, message, ctx),
    }),
    bind(resolveDisputeSaga, 'orders', {
      finishRelease: [released, settled],
      finishRefund: [refunded, settled],
      revert: (message, ctx) => noteSettlementFailed(deps, message, ctx),
    }),
  ];
}

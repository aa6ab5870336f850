import type {
  balanceEscrowSettled,
  balanceSettlementContradicted,
  escrowMilestoneSettled,
  escrowRefunded,
  escrowReleased,
  escrowSettlementContradicted,
  escrowSettlementFailed,
  MessageDeclaration,
} from '@holdfast/contracts/messages';
import {
  cancelSaga,
  createEscrowSaga,
  fundSaga,
  refundMilestoneSaga,
  refundSaga,
  releaseMilestoneSaga,
  releaseSaga,
  reserveSaga,
  resolveDisputeSaga,
  resolveMilestoneDisputeSaga,
  type Published,
} from '@holdfast/contracts/sagas';
import { bind, consume, type BoundConsumer, type Handler } from '@holdfast/service-kit';
import { handleCreationFailed } from '../use-cases/handle-creation-failed.js';
import { handleCreationUnconfirmed } from '../use-cases/handle-creation-unconfirmed.js';
import { handleDeductionRefused } from '../use-cases/handle-deduction-refused.js';
import { handleDeductionRestored } from '../use-cases/handle-deduction-restored.js';
import { handleDisputeSeen } from '../use-cases/handle-dispute-seen.js';
import { handleEscrowCreated } from '../use-cases/handle-escrow-created.js';
import { handleEscrowFunded } from '../use-cases/handle-escrow-funded.js';
import { handleEscrowRefunded, handleEscrowReleased } from '../use-cases/handle-escrow-paid-out.js';
import { handleEscrowSettled } from '../use-cases/handle-escrow-settled.js';
import { handleReservationFreed } from '../use-cases/handle-reservation-freed.js';
import { handleReservationMade } from '../use-cases/handle-reservation-made.js';
import { handleReservationRefused } from '../use-cases/handle-reservation-refused.js';
import { handleMilestoneSeen } from '../use-cases/handle-milestone-seen.js';
import { handleSettlementContradicted } from '../use-cases/handle-settlement-contradicted.js';
import { handleSettlementFailed } from '../use-cases/handle-settlement-failed.js';
import { handleUserChanged } from '../use-cases/handle-user-changed.js';
import type { Deps } from '../use-cases/ports.js';
import { handleMilestonePaidByLedger, handleMilestoneSettled } from '../use-cases/settle-milestone.js';
import type { SettlementEvent } from '../use-cases/settle-order.js';

/** Saga step or message → use case. */
export function consumersOf(deps: Deps): readonly BoundConsumer[] {
  return [
    bind(reserveSaga, 'orders', {
      finish: (message, ctx) => handleReservationMade(deps, message, ctx),
      refuse: (message, ctx) => handleReservationRefused(deps, message, ctx),
    }),
    bind(cancelSaga, 'orders', { finish: (message, ctx) => handleReservationFreed(deps, message, ctx) }),
    bind(createEscrowSaga, 'orders', {
      finish: (message, ctx) => handleEscrowCreated(deps, message, ctx),
      finishUnconfirmed: (message, ctx) => handleCreationUnconfirmed(deps, message, ctx),
      revert: (message, ctx) => handleCreationFailed(deps, message, ctx),
    }),
    bind(fundSaga, 'orders', {
      finish: (message, ctx) => handleEscrowFunded(deps, message, ctx),
      refuse: (message, ctx) => handleDeductionRefused(deps, message, ctx),
      revert: (message, ctx) => handleDeductionRestored(deps, message, ctx),
      stopAtLedger: (message, ctx) => handleSettlementContradicted(deps, message, ctx),
    }),
    ...settlementConsumers(deps),
    consume('orders', {
      marketplaceChanged: (message, ctx) => deps.handleMarketplaceChanged(message, ctx),
      testClockAdvanced: (message, ctx) => deps.testClocks.handleAdvanced(message, ctx),
      userCreated: (message, ctx) => deps.users.handleUserChanged(message, ctx),
      userChanged: (message, ctx) => handleUserChanged(deps, message, ctx),
      emergencyStopChanged: (message, ctx) => deps.handleStopChanged(message, ctx),
      escrowDisputeSeen: (message, ctx) => handleDisputeSeen(deps, message, ctx),
      escrowMilestoneSeen: (message, ctx) => handleMilestoneSeen(deps, message, ctx),
    }),
  ].flat();
}

type Settling<M extends MessageDeclaration> = Handler<M, Published<SettlementEvent>>;

type Stops = {
  readonly stopAtContract: Handler<typeof escrowSettlementContradicted, Published>;
  readonly stopAtLedger: Handler<typeof balanceSettlementContradicted, Published>;
};

/** The sagas that pay a contract out. An order is closed once its contract and the ledger have both paid. */
function settlementConsumers(deps: Deps): readonly (readonly BoundConsumer[])[] {
  const released: Settling<typeof escrowReleased> = (message, ctx) => handleEscrowReleased(deps, message, ctx);
  const refunded: Settling<typeof escrowRefunded> = (message, ctx) => handleEscrowRefunded(deps, message, ctx);
  const settled: Settling<typeof balanceEscrowSettled> = (message, ctx) => handleEscrowSettled(deps, message, ctx);
  const stopAtContract: Handler<typeof escrowSettlementContradicted, Published> = (message, ctx) =>
    handleSettlementContradicted(deps, message, ctx);
  const stopAtLedger: Handler<typeof balanceSettlementContradicted, Published> = (message, ctx) =>
    handleSettlementContradicted(deps, message, ctx);
  const stops: Stops = { stopAtContract, stopAtLedger };
  return [
    bind(releaseSaga, 'orders', {
      finish: [released, settled],
      revert: (message, ctx) => handleSettlementFailed(deps, message, ctx),
      ...stops,
    }),
    bind(refundSaga, 'orders', {
      finish: [refunded, settled],
      revert: (message, ctx) => handleSettlementFailed(deps, message, ctx),
      ...stops,
    }),
    bind(resolveDisputeSaga, 'orders', {
      finishRelease: [released, settled],
      finishRefund: [refunded, settled],
      revert: (message, ctx) => handleSettlementFailed(deps, message, ctx),
      ...stops,
    }),
    ...milestoneConsumers(deps, stops),
  ];
}

/** The sagas that pay out one milestone have the same steps here. */
function milestoneConsumers(deps: Deps, stops: Stops): readonly (readonly BoundConsumer[])[] {
  const settled: Settling<typeof escrowMilestoneSettled> = (message, ctx) => handleMilestoneSettled(deps, message, ctx);
  const paid: Settling<typeof balanceEscrowSettled> = (message, ctx) => handleMilestonePaidByLedger(deps, message, ctx);
  const revert: Handler<typeof escrowSettlementFailed, Published<'order.closed'>> = (message, ctx) =>
    handleSettlementFailed(deps, message, ctx);
  return [
    bind(releaseMilestoneSaga, 'orders', { finish: [settled, paid], revert, ...stops }),
    bind(refundMilestoneSaga, 'orders', { finish: [settled, paid], revert, ...stops }),
    bind(resolveMilestoneDisputeSaga, 'orders', { finish: [settled, paid], revert, ...stops }),
  ];
}

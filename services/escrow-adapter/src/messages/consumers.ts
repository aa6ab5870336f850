import type { escrowAbortRequested, escrowSettlementRequested } from '@holdfast/contracts/messages';
import {
  createEscrowSaga,
  fundSaga,
  ledgerPayoutSaga,
  refundMilestoneSaga,
  refundSaga,
  releaseMilestoneSaga,
  releaseSaga,
  resolveDisputeSaga,
  resolveMilestoneDisputeSaga,
  type Published,
} from '@holdfast/contracts/sagas';
import { bind, consume, type BoundConsumer, type Handler } from '@holdfast/service-kit';
import {
  handleDeployAbortRequested,
  handleFundAbortRequested,
  handleSettleAbortRequested,
} from '../use-cases/handle-abort-requested.js';
import { handleDeployRequested } from '../use-cases/handle-deploy-requested.js';
import { handleLedgerPayoutRequested } from '../use-cases/handle-ledger-payout-requested.js';
import { handleReservedDeducted } from '../use-cases/handle-reserved-deducted.js';
import { handleSettlementRequested } from '../use-cases/handle-settlement-requested.js';
import { handleUserChanged } from '../use-cases/handle-user-changed.js';
import type { Deps } from '../use-cases/ports.js';

/** Saga step or message → use case. */
export function consumersOf(deps: Deps): readonly BoundConsumer[] {
  return [
    bind(createEscrowSaga, 'escrow-adapter', {
      deploy: (message, ctx) => handleDeployRequested(deps, message, ctx),
      abort: (message, ctx) => handleDeployAbortRequested(deps, message, ctx),
    }),
    bind(fundSaga, 'escrow-adapter', {
      fund: (message) => handleReservedDeducted(deps, message),
      abort: (message, ctx) => handleFundAbortRequested(deps, message, ctx),
    }),
    bind(releaseSaga, 'escrow-adapter', settlementHandlers(deps)),
    bind(refundSaga, 'escrow-adapter', settlementHandlers(deps)),
    bind(resolveDisputeSaga, 'escrow-adapter', settlementHandlers(deps)),
    bind(releaseMilestoneSaga, 'escrow-adapter', settlementHandlers(deps)),
    bind(refundMilestoneSaga, 'escrow-adapter', settlementHandlers(deps)),
    bind(resolveMilestoneDisputeSaga, 'escrow-adapter', settlementHandlers(deps)),
    bind(ledgerPayoutSaga, 'escrow-adapter', {
      pay: (message) => handleLedgerPayoutRequested(deps, message),
    }),
    consume('escrow-adapter', {
      userCreated: (message, ctx) => handleUserChanged(deps, message, ctx),
      userChanged: (message, ctx) => handleUserChanged(deps, message, ctx),
      emergencyStopChanged: deps.emergencyStop.handleChanged,
      caseResolved: deps.handleCaseResolved,
    }),
  ].flat();
}

type SettlementHandlers = {
  readonly settle: Handler<typeof escrowSettlementRequested, Published>;
  readonly abort: Handler<typeof escrowAbortRequested, Published<'escrow.settlement_failed'>>;
};

/** The sagas that pay out a contract or a milestone have the same steps here. */
function settlementHandlers(deps: Deps): SettlementHandlers {
  return {
    settle: (message) => handleSettlementRequested(deps, message),
    abort: (message, ctx) => handleSettleAbortRequested(deps, message, ctx),
  };
}

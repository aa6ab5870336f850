import * as message from '@holdfast/contracts/messages';
import type { Context } from '@holdfast/kernel/context';
import { milestoneSagaNames } from '../domain/order.js';
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

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- each handler knows the payload of its message
type Handler = (deps: Deps, envelope: message.Envelope<any>, ctx: Context) => Promise<unknown>;

/** The handlers of messages/consumers.ts, without the consumers of the service kit, which load a broker and a database. */
const handlers: Readonly<Record<string, Handler>> = {
  [message.balanceReservationMade.type]: handleReservationMade,
  [message.balanceReservationRefused.type]: handleReservationRefused,
  [message.balanceReservationFreed.type]: handleReservationFreed,
  [message.balanceDeductionRefused.type]: handleDeductionRefused,
  [message.balanceDeductionRestored.type]: handleDeductionRestored,
  [message.balanceEscrowSettled.type]: handleEscrowSettled,
  [message.balanceSettlementContradicted.type]: handleSettlementContradicted,
  [message.escrowCreated.type]: handleEscrowCreated,
  [message.escrowCreationFailed.type]: handleCreationFailed,
  [message.escrowCreationUnconfirmed.type]: handleCreationUnconfirmed,
  [message.escrowFunded.type]: handleEscrowFunded,
  [message.escrowMilestoneSettled.type]: handleMilestoneSettled,
  [message.escrowReleased.type]: handleEscrowReleased,
  [message.escrowRefunded.type]: handleEscrowRefunded,
  [message.escrowSettlementFailed.type]: handleSettlementFailed,
  [message.escrowSettlementContradicted.type]: handleSettlementContradicted,
  [message.escrowDisputeSeen.type]: handleDisputeSeen,
  [message.escrowMilestoneSeen.type]: handleMilestoneSeen,
  [message.userChanged.type]: handleUserChanged,
};

const milestoneSagas: ReadonlySet<string> = new Set(milestoneSagaNames);

/** The sagas of one milestone and of whole orders share the message about the ledger's payout. */
function handlerOf({ type, saga = '' }: message.Envelope): Handler | undefined {
  const isOfMilestone = type === message.balanceEscrowSettled.type && milestoneSagas.has(saga);
  return isOfMilestone ? handleMilestonePaidByLedger : handlers[type];
}

/** Handles a message as the consumer of its type does. */
export async function deliver(deps: Deps, envelope: message.Envelope, ctx: Context): Promise<void> {
  const handler = handlerOf(envelope);
  if (handler === undefined) throw new Error(`Orders does not handle ${envelope.type}.`);
  await handler(deps, envelope, ctx);
}

import * as message from '@holdfast/shared/contracts/messages';
import { on, type BoundConsumer } from '@holdfast/shared/service-host';
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

/** Declared message → use case. */
export function consumersOf(deps: Deps): readonly BoundConsumer[] {
  return [
    on(message.userCreated, (heard, ctx) => deps.users.hear(heard, ctx)),
    on(message.userChanged, (heard, ctx) => deps.users.hear(heard, ctx)),
    on(message.balanceHoldPlaced, (heard, ctx) => noteHoldPlaced(deps, heard, ctx)),
    on(message.balanceHoldRefused, (heard, ctx) => noteHoldRefused(deps, heard, ctx)),
    on(message.balanceHoldFreed, (heard, ctx) => noteHoldFreed(deps, heard, ctx)),
    on(message.balanceDeductionRefused, (heard, ctx) => noteDeductionRefused(deps, heard, ctx)),
    on(message.balanceDeductionRestored, (heard, ctx) => noteDeductionRestored(deps, heard, ctx)),
    on(message.balanceEscrowSettled, (heard, ctx) => noteEscrowSettled(deps, heard, ctx)),
    on(message.escrowCreated, (heard, ctx) => noteEscrowCreated(deps, heard, ctx)),
    on(message.escrowCreationUnconfirmed, (heard, ctx) => noteCreationUnconfirmed(deps, heard, ctx)),
    on(message.escrowCreationFailed, (heard, ctx) => noteCreationFailed(deps, heard, ctx)),
    on(message.escrowFunded, (heard, ctx) => noteEscrowFunded(deps, heard, ctx)),
    on(message.escrowSettlementFailed, (heard, ctx) => noteSettlementFailed(deps, heard, ctx)),
    on(message.escrowReleased, (heard, ctx) => noteEscrowReleased(deps, heard, ctx)),
    on(message.escrowRefunded, (heard, ctx) => noteEscrowRefunded(deps, heard, ctx)),
    on(message.escrowDisputeSeen, (heard, ctx) => noteDisputeSeen(deps, heard, ctx)),
    on(message.escrowMilestoneSeen, (heard, ctx) => noteMilestoneSeen(deps, heard, ctx)),
  ];
}

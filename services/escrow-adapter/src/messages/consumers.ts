import * as message from '@holdfast/shared/contracts/messages';
import { on, type BoundConsumer } from '@holdfast/shared/service-host';
import { noteDeployRequested } from '../use-cases/note-deploy-requested.js';
import { noteReservedDeducted } from '../use-cases/note-reserved-deducted.js';
import { noteSettlementRequested } from '../use-cases/note-settlement-requested.js';
import { noteUser } from '../use-cases/note-user.js';
import type { Deps } from '../use-cases/ports.js';

/** Declared message → use case. */
export function consumersOf(deps: Deps): readonly BoundConsumer[] {
  return [
    on(message.userCreated, (heard, ctx) => noteUser(deps, heard, ctx)),
    on(message.userChanged, (heard, ctx) => noteUser(deps, heard, ctx)),
    on(message.escrowDeployRequested, (heard, ctx) => noteDeployRequested(deps, heard, ctx)),
    on(message.balanceReservedDeducted, (heard) => noteReservedDeducted(deps, heard)),
    on(message.escrowSettlementRequested, (heard) => noteSettlementRequested(deps, heard)),
  ];
}

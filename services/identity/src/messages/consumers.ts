import * as message from '@holdfast/shared/contracts/messages';
import { on, type BoundConsumer } from '@holdfast/shared/service-host';
import { noteLedgerLinked } from '../use-cases/note-ledger-linked.js';
import type { Deps } from '../use-cases/ports.js';

/** Declared message → use case. */
export function consumersOf(deps: Deps): readonly BoundConsumer[] {
  return [on(message.userLedgerLinked, (heard) => noteLedgerLinked(deps, heard))];
}

import { allMessages, apiKeyRevoked, apiKeyRotated, auditRecorded } from '@holdfast/shared/contracts/messages';
import { on, type BoundConsumer } from '@holdfast/shared/service-host';
import { noteAuditFact, noteEvent, noteKeyChanged, type NoteDeps } from '../use-cases/note-messages.js';

/** Declared message → use case. Everything public is an event. */
export function consumersOf(deps: NoteDeps): readonly BoundConsumer[] {
  const events = allMessages.filter(({ visibility }) => visibility === 'public');
  return [
    ...events.map((declaration) => on(declaration, (heard) => noteEvent(deps, heard))),
    on(auditRecorded, (heard) => noteAuditFact(deps, heard)),
    on(apiKeyRevoked, (heard) => noteKeyChanged(deps, heard)),
    on(apiKeyRotated, (heard) => noteKeyChanged(deps, heard)),
  ];
}

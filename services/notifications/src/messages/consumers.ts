import { allMessages } from '@holdfast/shared/contracts/messages';
import { consume, on, type BoundConsumer } from '@holdfast/shared/service-host';
import { noteAuditFact, noteEvent, noteKeyChanged, type NoteDeps } from '../use-cases/note-messages.js';

/** Message → use case. Everything public is an event. */
export function consumersOf(deps: NoteDeps): readonly BoundConsumer[] {
  const events = allMessages.filter(({ visibility }) => visibility === 'public');
  return [
    ...events.map((declaration) => on(declaration, (message) => noteEvent(deps, message))),
    ...consume('notifications', {
      auditRecorded: (message) => noteAuditFact(deps, message),
      apiKeyRevoked: (message) => noteKeyChanged(deps, message),
      apiKeyRotated: (message) => noteKeyChanged(deps, message),
    }),
  ];
}

import { allMessages } from '@holdfast/contracts/messages';
import { consume, on, type BoundConsumer } from '@holdfast/service-kit';
import { handleAuditRecorded, handleEvent, handleApiKeyChanged, type HandleDeps } from '../use-cases/handle-messages.js';

/** Message → use case. Every public message is appended as an event. */
export function consumersOf(deps: HandleDeps): readonly BoundConsumer[] {
  const events = allMessages.filter(({ visibility }) => visibility === 'public');
  return [
    ...events.map((declaration) => on(declaration, (message) => handleEvent(deps, message))),
    ...consume('notifications', {
      auditRecorded: (message) => handleAuditRecorded(deps, message),
      apiKeyRevoked: (message) => handleApiKeyChanged(deps, message),
      apiKeyRotated: (message) => handleApiKeyChanged(deps, message),
    }),
  ];
}

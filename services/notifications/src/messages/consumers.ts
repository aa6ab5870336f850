import { allMessages, type testClockAdvanced } from '@holdfast/contracts/messages';
import { consume, on, type BoundConsumer, type Handler } from '@holdfast/service-kit';
import { handleAuditRecorded, handleEvent, handleApiKeyChanged, type HandleDeps } from '../use-cases/handle-messages.js';

type ConsumerDeps = HandleDeps & { readonly handleClockAdvanced: Handler<typeof testClockAdvanced> };

/** Message → use case. Every public message is appended as an event. */
export function consumersOf({ handleClockAdvanced, ...deps }: ConsumerDeps): readonly BoundConsumer[] {
  const events = allMessages.filter(({ visibility }) => visibility === 'public');
  return [
    ...events.map((declaration) => on(declaration, (message) => handleEvent(deps, message))),
    ...consume('notifications', {
      auditRecorded: (message) => handleAuditRecorded(deps, message),
      testClockAdvanced: handleClockAdvanced,
      apiKeyRevoked: (message) => handleApiKeyChanged(deps, message),
      apiKeyRotated: (message) => handleApiKeyChanged(deps, message),
    }),
  ];
}

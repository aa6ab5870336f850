import { idFactory } from '@holdfast/kernel/ids';
import { manualClock } from '@holdfast/testing/clock';
import { memoryPorts } from './memory-ports.js';
import { describePorts } from './port-suite.js';
import { runLimits } from './ports-under-test.js';

describePorts('memory', async () => {
  const clock = manualClock('2026-06-01T00:00:00.000Z');
  const newId = idFactory(clock.epochMs);
  const ports = memoryPorts({ clock, newId, onPublished: () => undefined, handlers: {}, ...runLimits });
  return {
    ...ports,
    newId,
    now: clock.now,
    addToIdentity: ports.users.addToIdentity,
    claim: ports.intents.claim,
    setRestoredAt: (at) =>
      ports.tables.inTransaction(({ tables: { restores } }) => {
        if (at === undefined) restores.clear();
        else restores.set('platform', at);
      }),
    pass: async (ms) => clock.advance(ms),
    published: async () => [...ports.tables.committed().outbox.values()],
    dispose: () => Promise.resolve(),
  };
});

import { idFactory } from '@holdfast/kernel/ids';
import { manualClock } from '@holdfast/testing/clock';
import { memoryPorts } from './memory-ports.js';
import { describePorts } from './port-suite.js';
import { runLimits } from './ports-under-test.js';

describePorts('memory', async () => {
  const clock = manualClock();
  const newId = idFactory(clock.epochMs);
  const ports = memoryPorts({ clock, newId, onPublished: () => undefined, ...runLimits });
  return {
    ...ports,
    newId,
    addToIdentity: ports.users.addToIdentity,
    pass: async (ms) => clock.advance(ms),
    published: async () => [...ports.committed().outbox.values()],
    dispose: () => Promise.resolve(),
  };
});

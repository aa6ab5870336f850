import { allMessages } from '../../contracts/messages/index.js';
import type { ServiceName } from '../../contracts/services/index.js';
import { on, type BoundConsumer } from '../../service-host/index.js';

/** For a part of a service that is tested alone: whatever else the service listens to is heard and does nothing. */
export function ignoringOthers(service: ServiceName, consumers: readonly BoundConsumer[]): readonly BoundConsumer[] {
  const bound = new Set(consumers.map(({ declaration }) => declaration.type));
  const others = allMessages.filter(({ type, listeners }) => listeners.includes(service) && !bound.has(type));
  return [...consumers, ...others.map((declaration) => on(declaration, () => Promise.resolve()))];
}

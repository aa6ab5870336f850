import { messagesAcknowledged } from '@holdfast/contracts/messages';
import type { ServiceName } from '@holdfast/contracts/services';
import { consumedBy, type Consumed } from '@holdfast/contracts/sagas';
import type { BoundConsumer } from '@holdfast/service-kit';

/** For tests of a part of a service: adds handlers without effect for the other messages that the service consumes. */
export function ignoringOthers(service: ServiceName, consumers: readonly BoundConsumer[]): readonly BoundConsumer[] {
  const bound = new Set(consumers.map(keyOf));
  // `startService` binds the acknowledgements.
  const own = consumedBy(service).filter(({ declaration }) => declaration !== messagesAcknowledged);
  const others = own.filter((consumed) => !bound.has(keyOf(consumed)));
  return [...consumers, ...others.map((consumed) => ({ ...consumed, run: () => Promise.resolve() }))];
}

function keyOf({ declaration, saga = '' }: Consumed): string {
  return `${declaration.type} ${saga}`;
}

import { allMessages, messagesAcknowledged, publishersOf, type MessageDeclaration } from '../messages/index.js';
import { serviceNames, type ServiceName } from '../services/index.js';
import { allSagas } from './all-sagas.js';
import { outsideSagas } from './outside-sagas.js';
import { awaitedBy, type Saga } from './saga.js';

/** A message that a service consumes in a saga, or in any context if `saga` is undefined. */
export type Consumed = { readonly declaration: MessageDeclaration; readonly saga?: string };

/** The service with the event log consumes every public message. */
const eventLogService: ServiceName = 'notifications';

/** All messages that a service consumes, in sagas and outside of them. */
export function consumedBy(service: ServiceName): readonly Consumed[] {
  return [
    ...allSagas.flatMap((saga) => consumedInSaga(saga, service)),
    ...Object.values<MessageDeclaration>(outsideSagas[service]).map((declaration) => ({ declaration })),
    ...(service === eventLogService ? publicMessages : []),
    ...(publishesAcknowledged(service) ? [{ declaration: messagesAcknowledged }] : []),
  ];
}

const acknowledgedMessages = allMessages.filter(({ acknowledged }) => acknowledged === true);

const publicMessages = allMessages
  .filter(({ visibility }) => visibility === 'public')
  .map((declaration): Consumed => ({ declaration }));

/** Whether the service publishes messages that their consumers acknowledge. */
export function publishesAcknowledged(service: ServiceName): boolean {
  return acknowledgedMessages.some((declaration) => publishersOf(declaration).includes(service));
}

/** Removes duplicates: two steps of a saga may await the same message. */
function consumedInSaga({ name, steps }: Saga, service: ServiceName): readonly Consumed[] {
  const awaited = Object.values(steps)
    .filter(({ by }) => by === service)
    .flatMap(awaitedBy);
  return [...new Set(awaited)].map((declaration) => ({ declaration, saga: name }));
}

const consumersByType: ReadonlyMap<string, readonly ServiceName[]> = new Map(
  allMessages.map(({ type }) => [type, serviceNames.filter((service) => consumes(service, type))]),
);

function consumes(service: ServiceName, type: string): boolean {
  return consumedBy(service).some(({ declaration }) => declaration.type === type);
}

/** The services whose queues are bound to a message. */
export function consumersOf({ type }: Pick<MessageDeclaration, 'type'>): readonly ServiceName[] {
  return consumersByType.get(type) ?? [];
}

const acknowledgersByType: ReadonlyMap<string, readonly ServiceName[]> = new Map(
  acknowledgedMessages.map((declaration) => [declaration.type, consumersOf(declaration)]),
);

/** The services that must acknowledge a message of this type; none if it is published once. */
export function acknowledgersOf(type: string): readonly ServiceName[] {
  return acknowledgersByType.get(type) ?? [];
}

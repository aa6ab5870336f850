import { allMessages, messagesAcknowledged, publishersOf, type Envelope, type MessageDeclaration } from '../messages/index.js';
import { serviceNames, type ServiceName } from '../services/index.js';
import { allSagas } from './all-sagas.js';
import { outsideSagas } from './outside-sagas.js';
import { awaitedBy, type Saga, type SagaStep } from './saga.js';

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

/** Whether the service publishes messages that their consumers may acknowledge. */
export function publishesAcknowledged(service: ServiceName): boolean {
  const awaited = allSagas.flatMap(({ steps }) => Object.values(steps).flatMap(awaitedBy));
  return [...acknowledgedMessages, ...awaited].some((declaration) => publishersOf(declaration).includes(service));
}

/** Removes duplicates: two steps of a saga may await the same message. */
function consumedInSaga({ name, steps }: Saga, service: ServiceName): readonly Consumed[] {
  const awaited = Object.values(steps)
    .filter(({ by }) => by === service)
    .flatMap(awaitedBy);
  return [...new Set(awaited)].map((declaration) => ({ declaration, saga: name }));
}

/** Computed once per service, because every process does it when it is loaded. */
const consumedTypes = serviceNames.map((service) => ({
  service,
  types: new Set(consumedBy(service).map(({ declaration }) => declaration.type)),
}));

const consumersByType: ReadonlyMap<string, readonly ServiceName[]> = new Map(
  allMessages.map(({ type }) => [type, consumedTypes.filter(({ types }) => types.has(type)).map(({ service }) => service)]),
);

/** The services whose queues are bound to a message. */
export function consumersOf({ type }: Pick<MessageDeclaration, 'type'>): readonly ServiceName[] {
  return consumersByType.get(type) ?? [];
}

const declaredAcknowledgers: ReadonlyMap<string, readonly ServiceName[]> = new Map(
  acknowledgedMessages.map((declaration) => [declaration.type, consumersOf(declaration)]),
);

const stepAcknowledgers: ReadonlyMap<string, readonly ServiceName[]> = new Map(
  allSagas.flatMap(({ name, steps }) =>
    [...new Set(Object.values(steps).flatMap(awaitedBy))].map(({ type }) => [
      `${type} in ${name}`,
      serviceNames.filter((service) => Object.values(steps).some((step) => step.by === service && awaits(step, type))),
    ]),
  ),
);

function awaits(step: SagaStep, type: string): boolean {
  return awaitedBy(step).some((awaited) => awaited.type === type);
}

/**
 * The services that must acknowledge a message, because no saga run resends it; none for a message that is published once. A message
 * of a saga has no run where no service has started one: a deposit, or a contract that was settled from outside.
 */
export function acknowledgersOf({
  type,
  saga,
  sagaRunId,
}: Pick<Envelope, 'type' | 'saga' | 'sagaRunId'>): readonly ServiceName[] {
  const declared = declaredAcknowledgers.get(type);
  if (declared !== undefined) return declared;
  return saga === undefined || sagaRunId !== undefined ? [] : (stepAcknowledgers.get(`${type} in ${saga}`) ?? []);
}

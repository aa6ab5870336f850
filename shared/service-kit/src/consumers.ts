import type { z } from 'zod';
import type { Context } from '@holdfast/kernel/context';
import { messagesAcknowledged, type Envelope, type MessageDeclaration, type Payload } from '@holdfast/contracts/messages';
import type { ServiceName } from '@holdfast/contracts/services';
import type { MessageConsumer } from '@holdfast/messaging/inbox';
import {
  awaitedBy,
  consumedBy,
  consumersOf,
  outsideSagas,
  type Consumed,
  type DeclaredBy,
  type Published,
  type Saga,
} from '@holdfast/contracts/sagas';

/**
 * A message that a service consumes, with its handler. The handler commits its effect and the inbox row in one transaction; the
 * message is acknowledged when it resolves.
 */
export type BoundConsumer = MessageConsumer;

/** The payload was parsed with the schema of the declaration. */
export type Handler<M extends MessageDeclaration, Result = unknown> = (
  message: Envelope<Payload<M>>,
  ctx: Context,
) => Promise<Result>;

/** One handler for one message; for several messages a tuple of handlers in the order of the step. */
type HandlersOn<On, Result> = On extends MessageDeclaration
  ? Handler<On, Result>
  : On extends readonly MessageDeclaration[]
    ? { readonly [Index in keyof On]: HandlersOn<On[Index], Result> }
    : never;

/** A handler for every step of the service that waits for messages, and for no other step. It publishes what its step declares. */
type StepHandlers<Steps, Service extends ServiceName> = {
  readonly [
    Step in keyof Steps as Steps[Step] extends { readonly by: Service; readonly on: unknown } ? Step : never
  ]: Steps[Step] extends { readonly on: infer On } ? HandlersOn<On, Published<DeclaredBy<Steps[Step]>['type']>> : never;
};

type AnyHandler = BoundConsumer['run'];
type AnyHandlers = Readonly<Record<string, AnyHandler | readonly AnyHandler[]>>;

/** Binds the handlers of a service to its steps of a saga. A missing handler, or one that publishes anything else, does not compile. */
export function bind<Steps extends Saga['steps'], Service extends ServiceName>(
  saga: Saga<string, Steps>,
  service: Service,
  handlers: StepHandlers<Steps, Service>,
): readonly BoundConsumer[];
export function bind({ name, steps }: Saga, service: ServiceName, handlers: AnyHandlers): readonly BoundConsumer[] {
  const own = Object.entries(steps).filter(([, { by }]) => by === service);
  const bound = own.flatMap(([stepName, step]) => {
    const stepHandlers = [handlers[stepName] ?? []].flat();
    return awaitedBy(step).map((declaration, index) => ({
      declaration,
      saga: name,
      step: stepName,
      run: requireHandler(stepHandlers[index], `${declaration.type} in the saga ${name}`),
    }));
  });
  return [...bound, ...ignored({ name, steps }, service)];
}

/** Queues are bound by message type, so a service also gets what this saga publishes for the event log only. */
function ignored({ name, steps }: Pick<Saga, 'name' | 'steps'>, service: ServiceName): readonly BoundConsumer[] {
  const informs = Object.entries(steps).flatMap(([step, { informs: declared = [] }]) =>
    declared.map((declaration) => ({ declaration, step })),
  );
  return informs
    .filter(({ declaration }) => consumersOf(declaration).includes(service))
    .map((each) => ({ ...each, saga: name, run: () => Promise.resolve() }));
}

/** A handler for every message that the service consumes outside of sagas. */
type OutsideHandlers<Messages> = {
  readonly [Name in keyof Messages]: Messages[Name] extends MessageDeclaration ? Handler<Messages[Name]> : never;
};

/** Binds the handlers of a service to the messages that it consumes outside of sagas. A missing handler does not compile. */
export function consume<Service extends ServiceName>(
  service: Service,
  handlers: OutsideHandlers<(typeof outsideSagas)[Service]>,
): readonly BoundConsumer[];
export function consume(service: ServiceName, handlers: Readonly<Record<string, AnyHandler>>): readonly BoundConsumer[] {
  return Object.entries<MessageDeclaration>(outsideSagas[service]).map(([name, declaration]) => ({
    declaration,
    run: requireHandler(handlers[name], declaration.type),
  }));
}

function requireHandler(handler: AnyHandler | undefined, message: string): AnyHandler {
  if (handler === undefined) throw new Error(`There is no handler for ${message}.`);
  return handler;
}

/** Binds one message in every saga and outside of them. */
export function on<P extends z.ZodType>(declaration: MessageDeclaration<P>, run: Handler<MessageDeclaration<P>>): BoundConsumer {
  return { declaration, run };
}

/** Throws when a declared message has no handler, for example because a saga was not bound. Such messages would be parked. */
export function assertAllMessagesHandled(service: ServiceName, consumers: readonly BoundConsumer[]): void {
  const bound = new Set(consumers.map(textOf));
  const unhandled = consumedBy(service)
    .filter(({ declaration }) => declaration !== messagesAcknowledged) // `startService` binds it
    .map(textOf)
    .filter((text) => !bound.has(text));
  if (unhandled.length === 0) return;
  throw new Error(`${service} is declared to consume ${unhandled.join(', ')}, and has no handler for it.`);
}

function textOf({ declaration, saga }: Consumed): string {
  return saga === undefined ? declaration.type : `${declaration.type} in the saga ${saga}`;
}

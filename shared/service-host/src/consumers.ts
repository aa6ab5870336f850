import type { z } from 'zod';
import type { Context } from '@holdfast/kernel/context';
import type { Envelope, MessageDeclaration, Payload } from '@holdfast/contracts/messages';
import type { ServiceName } from '@holdfast/contracts/services';
import type { MessageConsumer } from '@holdfast/messaging/outbox';
import { awaitedBy, consumedBy, outsideSagas, type Consumed, type Saga } from '@holdfast/contracts/sagas';

/**
 * A message that a service consumes, with its handler. The handler commits the inbox row (the message's id) and its effect
 * together; when it resolves, the message is acknowledged.
 */
export type BoundConsumer = MessageConsumer;

/** The payload has been parsed by the declaration's schema by then. */
export type Handler<M extends MessageDeclaration> = (message: Envelope<Payload<M>>, ctx: Context) => Promise<void>;

/** One handler for a message; for several, one each, in the order in which the step lists them. */
type HandlersOn<On> = On extends MessageDeclaration
  ? Handler<On>
  : On extends readonly MessageDeclaration[]
    ? { readonly [Index in keyof On]: HandlersOn<On[Index]> }
    : never;

/** A handler for every step of the service that waits for messages, and for no other step. */
type StepHandlers<Steps, Service extends ServiceName> = {
  readonly [
    Step in keyof Steps as Steps[Step] extends { readonly by: Service; readonly on: unknown } ? Step : never
  ]: Steps[Step] extends { readonly on: infer On } ? HandlersOn<On> : never;
};

type AnyHandler = BoundConsumer['run'];
type AnyHandlers = Readonly<Record<string, AnyHandler | readonly AnyHandler[]>>;

/** Binds a service's handlers to its steps of a saga. One that is missing does not compile. */
export function bind<Steps extends Saga['steps'], Service extends ServiceName>(
  saga: Saga<string, Steps>,
  service: Service,
  handlers: StepHandlers<Steps, Service>,
): readonly BoundConsumer[];
export function bind({ name, steps }: Saga, service: ServiceName, handlers: AnyHandlers): readonly BoundConsumer[] {
  const own = Object.entries(steps).filter(([, { by }]) => by === service);
  return own.flatMap(([stepName, step]) => {
    const stepHandlers = [handlers[stepName] ?? []].flat();
    return awaitedBy(step).map((declaration, index) => ({
      declaration,
      saga: name,
      run: requireHandler(stepHandlers[index], `${declaration.type} in the saga ${name}`),
    }));
  });
}

/** A handler for every message that the service consumes outside of sagas. */
type OutsideHandlers<Messages> = {
  readonly [Name in keyof Messages]: Messages[Name] extends MessageDeclaration ? Handler<Messages[Name]> : never;
};

/** Binds a service's handlers to the messages that it consumes outside of sagas. One that is missing does not compile. */
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

function requireHandler(handler: AnyHandler | undefined, what: string): AnyHandler {
  if (handler === undefined) throw new Error(`There is no handler for ${what}.`);
  return handler;
}

/** Binds one message, whatever saga it belongs to. */
export function on<P extends z.ZodType>(declaration: MessageDeclaration<P>, run: Handler<MessageDeclaration<P>>): BoundConsumer {
  return { declaration, run };
}

/** Throws where a declared message has no handler, such as those of a saga that was never bound: each would be parked later. */
export function assertAllMessagesHandled(service: ServiceName, consumers: readonly BoundConsumer[]): void {
  const bound = new Set(consumers.map(textOf));
  const unhandled = consumedBy(service)
    .map(textOf)
    .filter((text) => !bound.has(text));
  if (unhandled.length === 0) return;
  throw new Error(`${service} is declared to consume ${unhandled.join(', ')}, and has no handler for it.`);
}

function textOf({ declaration, saga }: Consumed): string {
  return saga === undefined ? declaration.type : `${declaration.type} in the saga ${saga}`;
}

import type { Clock } from '@holdfast/kernel/instants';
import type { Log } from '@holdfast/kernel/context';
import {
  acknowledgedIdsMax,
  messagesAcknowledged,
  publishersOf,
  type Envelope,
  type MessageDeclaration,
} from '@holdfast/contracts/messages';
import { acknowledgersOf } from '@holdfast/contracts/sagas';
import type { ServiceName } from '@holdfast/contracts/services';
import { defaultMarketplaceId, type MessageId, type NewId } from '@holdfast/kernel/ids';
import { createBatcher } from '../batching/index.js';
import { toEnvelope, type Broker, type RawMessage } from '../broker/index.js';

export type AcknowledgerOptions = {
  /** The service that has handled the messages. */
  readonly service: ServiceName;
  readonly broker: Pick<Broker, 'redeliver'>;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Log;
  readonly everyMs?: number;
};

/** Acknowledges handled messages to their publishers. */
export type Acknowledger = {
  /** Call when the handler has succeeded, also on a message that was handled before. Ignores messages that are not acknowledged. */
  readonly onHandled: (declaration: MessageDeclaration, envelope: Envelope) => void;
  /** Sends what was collected. */
  readonly drain: () => Promise<void>;
};

type Handled = { readonly publisher: ServiceName; readonly messageId: MessageId };

const defaultEveryMs = 1_000;
const waitingMax = 20_000;

/**
 * Not a commit: collects what was handled and sends one message to the queue of each publisher, at most once in `everyMs`. One that is not sent is
 * replaced: its publisher repeats the message, which is acknowledged again.
 */
export function createAcknowledger(options: AcknowledgerOptions): Acknowledger {
  const { service, log, everyMs = defaultEveryMs } = options;
  const { submit, drain } = createBatcher<Handled, undefined>({
    run: (handled) => sendToPublishers(options, handled),
    sizeMax: acknowledgedIdsMax,
    batchDelayMs: everyMs,
    batchSpacingMs: everyMs,
    inFlightMax: 1,
    waitingMax,
    overflow: () => new Error(`more than ${waitingMax} acknowledgements wait already`),
  });
  return {
    drain,
    onHandled: (declaration, envelope) => {
      if (!acknowledgersOf(envelope).includes(service)) return;
      const { id } = envelope;
      for (const publisher of publishersOf(declaration)) {
        submit({ publisher, messageId: id }).catch((error: unknown) => {
          log.debug({ err: error, publisher, messageId: id }, 'an acknowledgement was not sent');
        });
      }
    },
  };
}

async function sendToPublishers(
  options: AcknowledgerOptions,
  handled: readonly Handled[],
): Promise<readonly PromiseSettledResult<undefined>[]> {
  const publishers = [...new Set(handled.map(({ publisher }) => publisher))];
  const results = await Promise.allSettled(publishers.map((publisher) => send(options, publisher, handled)));
  return handled.map(({ publisher }) => results[publishers.indexOf(publisher)] ?? { status: 'fulfilled', value: undefined });
}

async function send(options: AcknowledgerOptions, publisher: ServiceName, handled: readonly Handled[]): Promise<undefined> {
  const messageIds = new Set(handled.filter((each) => each.publisher === publisher).map(({ messageId }) => messageId));
  await options.broker.redeliver(publisher, [toRawMessage(options, publisher, [...messageIds])], { isRepeated: false });
}

function toRawMessage(options: AcknowledgerOptions, publisher: ServiceName, messageIds: MessageId[]): RawMessage {
  const id = options.newId('evt');
  const envelope = toEnvelope(options, messagesAcknowledged, {
    id,
    aggregateId: publisher,
    aggregateVersion: 0,
    marketplaceId: defaultMarketplaceId,
    correlationId: id,
    payload: { by: options.service, messageIds },
  });
  return { messageId: id, type: messagesAcknowledged.type, body: Buffer.from(JSON.stringify(envelope)) };
}

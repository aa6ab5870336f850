import {
  auditRecorded,
  balanceDepositReceived,
  custodyTransactionsLanded,
  custodyUnknownDepositFound,
  emergencyStopChanged,
  envelopeSchema,
  messagesAcknowledged,
  type Envelope,
  type MessageDeclaration,
} from '@holdfast/contracts/messages';
import { systemClock } from '@holdfast/kernel/instants';
import { defaultMarketplaceId, idFactory, type MessageId } from '@holdfast/kernel/ids';
import { silentLog } from '@holdfast/testing/log';
import type { Publishing, RawMessage } from '../broker/index.js';
import { createAcknowledger, type Acknowledger } from './acknowledger.js';

const clock = systemClock();
const newId = idFactory(clock.epochMs);
const frame = { aggregateId: 'a', aggregateVersion: 1, marketplaceId: defaultMarketplaceId, correlationId: 'req-1', payload: {} };

type Sent = { readonly queue: string; readonly payload: unknown };

const isNew: Publishing = { isRepeated: false };

/** An acknowledger of ledger-balance or payments, and what it sends. */
function anAcknowledger(service: 'ledger-balance' | 'payments', redeliver: () => Promise<void> = () => Promise.resolve()) {
  const sent: Sent[] = [];
  const broker = {
    redeliver: async (queue: string, messages: readonly RawMessage[], publishing?: Publishing) => {
      expect(publishing).toEqual(isNew);
      await redeliver();
      for (const { body } of messages)
        sent.push({
          queue,
          payload: messagesAcknowledged.payload.parse(envelopeSchema.parse(JSON.parse(body.toString())).payload),
        });
    },
  };
  return { sent, ...createAcknowledger({ service, broker, clock, newId, log: silentLog, everyMs: 60_000 }) };
}

function handle({ onHandled }: Acknowledger, declaration: MessageDeclaration, id: MessageId): void {
  const { type, version, aggregateType } = declaration;
  const envelope: Envelope = { ...frame, id, type, version, aggregateType, occurredAt: clock.now() };
  onHandled(declaration, envelope);
}

describe('the acknowledger of a consumer', () => {
  it('sends one message to each publisher, with every id once', async () => {
    const acknowledger = anAcknowledger('payments');
    for (const id of ['evt_1', 'evt_2', 'evt_1'] as const) handle(acknowledger, emergencyStopChanged, id);
    handle(acknowledger, custodyUnknownDepositFound, 'evt_3');
    await acknowledger.drain();
    expect(acknowledger.sent).toEqual([
      { queue: 'identity', payload: { by: 'payments', messageIds: ['evt_1', 'evt_2'] } },
      { queue: 'escrow-adapter', payload: { by: 'payments', messageIds: ['evt_3'] } },
    ]);
  });

  it('collects what is handled soon afterwards, and sends it when it is drained', async () => {
    const acknowledger = anAcknowledger('ledger-balance');
    handle(acknowledger, balanceDepositReceived, 'evt_1');
    await acknowledger.drain();
    handle(acknowledger, balanceDepositReceived, 'evt_2');
    await new Promise((resolve) => setImmediate(resolve));
    handle(acknowledger, custodyTransactionsLanded, 'evt_3');
    expect(acknowledger.sent).toHaveLength(1);
    await acknowledger.drain();
    expect(acknowledger.sent.slice(1)).toEqual([
      { queue: 'escrow-adapter', payload: { by: 'ledger-balance', messageIds: ['evt_2', 'evt_3'] } },
    ]);
  });

  it('ignores messages that are published once, and those that another service acknowledges', async () => {
    const acknowledger = anAcknowledger('payments');
    handle(acknowledger, auditRecorded, 'evt_1');
    handle(acknowledger, balanceDepositReceived, 'evt_2');
    await acknowledger.drain();
    expect(acknowledger.sent).toEqual([]);
  });

  it('sends no more than the allowed number of ids in one message', async () => {
    const acknowledger = anAcknowledger('ledger-balance');
    for (let count = 0; count < 501; count += 1) handle(acknowledger, balanceDepositReceived, newId('evt'));
    await acknowledger.drain();
    const counts = acknowledger.sent.map(({ payload }) => messagesAcknowledged.payload.parse(payload).messageIds.length);
    expect(counts).toEqual([500, 1]);
  });

  it('drops what the broker refuses, and sends the next', async () => {
    let isAvailable = false;
    const acknowledger = anAcknowledger('ledger-balance', () =>
      isAvailable ? Promise.resolve() : Promise.reject(new Error('unavailable')),
    );
    handle(acknowledger, balanceDepositReceived, 'evt_1');
    await acknowledger.drain();
    isAvailable = true;
    handle(acknowledger, balanceDepositReceived, 'evt_2');
    await acknowledger.drain();
    expect(acknowledger.sent).toEqual([{ queue: 'escrow-adapter', payload: { by: 'ledger-balance', messageIds: ['evt_2'] } }]);
  });
});

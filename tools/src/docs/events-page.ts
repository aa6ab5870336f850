import { publishersOf, type AggregateType, type MessageDeclaration } from '@holdfast/contracts/messages';
import { consumersOf } from '@holdfast/contracts/sagas';
import { describeShape, exampleOf } from '@holdfast/contracts/openapi';
import { fieldRows } from './field-rows.js';
import { code, generatedNotice, json, page, table } from './markdown.js';

/** Which field of a payload is the id of the aggregate. */
const idFieldOf = {
  User: 'userId',
  Balance: 'userId',
  Order: 'orderId',
  Escrow: 'escrowId',
  Dispute: 'disputeId',
  TopUp: 'topupId',
  Withdrawal: 'withdrawalId',
  WebhookEndpoint: 'endpointId',
  Marketplace: 'marketplaceId',
  ReconciliationCase: 'caseId',
  ApiKey: 'apiKeyId',
  EmergencyStop: 'isStopped',
  Custody: 'transactionHash',
  Audit: 'resourceId',
  Outbox: 'messageIds',
} as const satisfies Record<AggregateType, string>;

/** The reference of all messages: the public ones as they appear on the event stream, the internal ones as services send them. */
export function eventsPage(messages: readonly MessageDeclaration[]): string {
  const visible = messages.filter(({ visibility }) => visibility === 'public');
  const internal = messages.filter(({ visibility }) => visibility === 'internal');
  return page(
    generatedNotice,
    '# Events and messages',
    'Public events go to the event stream; internal messages are the commands, replies and notifications of state between services.',
    overview(messages),
    '## Public events',
    ...visible.map(section),
    '## Internal messages',
    ...internal.map(section),
  );
}

function overview(messages: readonly MessageDeclaration[]): string {
  const rows = messages.map((message) => [
    link(message.type),
    message.visibility,
    publishersOf(message).join(', '),
    consumersText(message),
  ]);
  return table(['Type', 'Visibility', 'Published by', 'Consumed by'], rows);
}

function section(message: MessageDeclaration): string {
  const payload = describeShape(message.payload, 'response');
  const facts = `Version ${message.version} · about ${message.aggregateType} · published by ${publishersOf(message).join(', ')} · consumed by ${consumersText(message)}${message.acknowledged === true ? ' · repeated until acknowledged' : ''}`;
  const example = exampleOf(payload, `the payload of ${message.type}`);
  return [
    `### ${message.type}`,
    message.summary,
    facts,
    table(['Field', 'Type', 'Always there', 'Meaning'], fieldRows(payload)),
    json(message.visibility === 'public' ? asStreamed(message, example) : example),
  ].join('\n\n');
}

/** The envelope of the event stream. */
function asStreamed(message: MessageDeclaration, payload: unknown): unknown {
  return {
    eventId: 'evt_01JB2M3N4P5Q6R7S8T9V0W1X2Y',
    eventType: message.type,
    occurredAt: '2026-01-31T12:00:00.123456Z',
    aggregateId: idIn(payload, idFieldOf[message.aggregateType]),
    aggregateType: message.aggregateType,
    payload,
    metadata: { correlationId: '7f0c1a52-3f5e-4c1b-9a53-0c2f6f0f7d11', marketplaceId: 'mkt_default' },
  };
}

/** Some payloads leave the id to the envelope. */
const idsOutsidePayload: Readonly<Record<string, string>> = { topupId: 'topup_01JB2M3N4P5Q6R7S8T9V0W1X2Y' };

function idIn(payload: unknown, field: string): unknown {
  const fields = new Map<string, unknown>(typeof payload === 'object' && payload !== null ? Object.entries(payload) : []);
  const id = fields.get(field) ?? idsOutsidePayload[field];
  if (id === undefined) throw new Error(`a payload lacks ${field}`);
  return id;
}

function consumersText(message: MessageDeclaration): string {
  const consumers = consumersOf(message);
  return consumers.length === 0 ? 'no service' : consumers.join(', ');
}

function link(type: string): string {
  return `[${code(type)}](#${type.replaceAll('.', '')})`;
}

import { brokerMigrations, openInProcessBroker, topologyOf, type Broker } from '@holdfast/messaging/broker';
import { createAcknowledger } from '@holdfast/messaging/inbox';
import { systemClock } from '@holdfast/kernel/context';
import { idFactory } from '@holdfast/kernel/ids';
import { allMessages, publishersOf, type Envelope } from '@holdfast/contracts/messages';
import { serviceNames, type ServiceName } from '@holdfast/contracts/services';
import { allSagas, publishedBy } from '@holdfast/contracts/sagas';
import { silentLog } from '../log/index.js';
import { memoryParked } from '../parked/index.js';
import type { TestDatabase } from '../postgres/index.js';
import { trackPublishing, type TrackedBroker } from './track-publishing.js';

/** A queue of the test that receives every message of the services, because their consumers do not run. */
const observer = 'observer';
/** Short delays, so that tests are fast, but many, so that a slow machine parks no message before the test ends. */
const shortRetryDelaysMs = [20, 50, 100, ...Array.from({ length: 150 }, () => 200)];

export type ObservedBroker = TrackedBroker & {
  /** The messages that the services have published, in the order of arrival. */
  readonly published: readonly Envelope[];
  /** The ids of the messages that came as repeated ones. */
  readonly repeatedIds: ReadonlySet<string>;
  /** Published messages that their saga does not declare. Tests fail on them when they stop the service. */
  readonly undeclared: readonly string[];
  /** Which messages the consumers acknowledge, of those that they have not yet; they do not run. By default they acknowledge all. */
  readonly acknowledgeOnly: (isAcknowledged: (envelope: Envelope) => boolean) => void;
};

/** Opens the in-process broker for these services with a queue that records every message they publish. */
export async function openObservedBroker(
  database: TestDatabase,
  services: readonly ServiceName[],
  onPublished: (envelope: Envelope) => void = () => undefined,
  options: { readonly pollEveryMs?: number } = {},
): Promise<ObservedBroker> {
  const { pool } = await database.open({ service: 'broker', migrations: [brokerMigrations] });
  const { queues } = topologyOf(allMessages, services);
  const isPublisher = (publisher: ServiceName): boolean => services.includes(publisher);
  const publishedTypes = allMessages.filter((declaration) => publishersOf(declaration).some(isPublisher)).map(({ type }) => type);
  const topology = { queues: [...queues, { name: observer, types: publishedTypes }] };
  const opened = await openInProcessBroker({ pool, topology, log: silentLog, retryDelaysMs: shortRetryDelaysMs, ...options });
  const { broker, idle } = trackPublishing(opened, database);
  const published: Envelope[] = [];
  const undeclared: string[] = [];
  const repeatedIds = new Set<string>();
  const parked = { ...memoryParked(), removeHandled: (id: string) => Promise.resolve(void repeatedIds.add(id)) };
  const acknowledge = acknowledging(opened);
  let isAcknowledged = (_: Envelope): boolean => true;
  let waiting: readonly Envelope[] = [];
  const acknowledgeWaiting = (): void => {
    for (const envelope of waiting.filter(isAcknowledged)) acknowledge(envelope);
    waiting = waiting.filter((envelope) => !isAcknowledged(envelope));
  };
  await broker.consume(observer, { prefetch: 100, parked }, ({ envelope }) => {
    published.push(envelope);
    if (!isDeclared(envelope, services)) undeclared.push(`${envelope.type} in ${envelope.saga ?? ''}`);
    onPublished(envelope);
    waiting = [...waiting, envelope];
    acknowledgeWaiting();
    return Promise.resolve();
  });
  const acknowledgeOnly: ObservedBroker['acknowledgeOnly'] = (only) => {
    isAcknowledged = only;
    acknowledgeWaiting();
  };
  return { broker, idle, published, repeatedIds, undeclared, acknowledgeOnly };
}

const acknowledgeEveryMs = 10;

/** Acknowledges a message for each of its consumers. */
function acknowledging(broker: Pick<Broker, 'redeliver'>): (envelope: Envelope) => void {
  const clock = systemClock();
  const common = { broker, clock, newId: idFactory(clock.epochMs), log: silentLog, everyMs: acknowledgeEveryMs };
  const acknowledgers = serviceNames.map((service) => createAcknowledger({ ...common, service }));
  return (envelope) => {
    const declaration = allMessages.find(({ type }) => type === envelope.type);
    if (declaration === undefined) return;
    for (const { onHandled } of acknowledgers) onHandled(declaration, envelope);
  };
}

/** Every step may record audit entries. */
const auditType = 'audit.recorded';

function isDeclared({ type, saga }: Envelope, services: readonly ServiceName[]): boolean {
  if (saga === undefined || type === auditType) return true;
  const steps = allSagas.filter(({ name }) => name === saga).flatMap((found) => Object.values(found.steps));
  const published = steps.filter(({ by }) => services.includes(by)).flatMap(publishedBy);
  return published.some((declaration) => declaration.type === type);
}

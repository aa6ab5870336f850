import { brokerMigrations, openInProcessBroker, topologyOf } from '@holdfast/messaging/broker';
import { allMessages, publishersOf, type Envelope } from '@holdfast/contracts/messages';
import type { ServiceName } from '@holdfast/contracts/services';
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
  /** Published messages that their saga does not declare. Tests fail on them when they stop the service. */
  readonly undeclared: readonly string[];
};

/** Opens the in-process broker for these services with a queue that records every message they publish. */
export async function openObservedBroker(
  database: TestDatabase,
  services: readonly ServiceName[],
  onPublished: (envelope: Envelope) => void = () => undefined,
): Promise<ObservedBroker> {
  const { pool } = await database.open({ service: 'broker', migrations: [brokerMigrations] });
  const { queues } = topologyOf(allMessages, services);
  const isPublisher = (publisher: ServiceName): boolean => services.includes(publisher);
  const publishedTypes = allMessages.filter((declaration) => publishersOf(declaration).some(isPublisher)).map(({ type }) => type);
  const topology = { queues: [...queues, { name: observer, types: publishedTypes }] };
  const opened = await openInProcessBroker({ pool, topology, log: silentLog, retryDelaysMs: shortRetryDelaysMs });
  const { broker, idle } = trackPublishing(opened, database);
  const published: Envelope[] = [];
  const undeclared: string[] = [];
  await broker.consume(observer, { prefetch: 100, parked: memoryParked() }, ({ envelope }) => {
    published.push(envelope);
    if (!isDeclared(envelope, services)) undeclared.push(`${envelope.type} in ${envelope.saga ?? ''}`);
    onPublished(envelope);
    return Promise.resolve();
  });
  return { broker, idle, published, undeclared };
}

/** Every step may record audit entries. */
const auditType = 'audit.recorded';

function isDeclared({ type, saga }: Envelope, services: readonly ServiceName[]): boolean {
  if (saga === undefined || type === auditType) return true;
  const steps = allSagas.filter(({ name }) => name === saga).flatMap((found) => Object.values(found.steps));
  const published = steps.filter(({ by }) => services.includes(by)).flatMap(publishedBy);
  return published.some((declaration) => declaration.type === type);
}

import { brokerMigrations, openInProcessBroker, topologyOf, type Broker } from '@holdfast/messaging/broker';
import { allMessages, publishersOf, type Envelope } from '@holdfast/contracts/messages';
import type { ServiceName } from '@holdfast/contracts/services';
import { allSagas, publishedBy } from '@holdfast/contracts/sagas';
import { silentLog } from '../log/index.js';
import type { TestDatabase } from '../postgres/index.js';

/** A queue of the tests' own: what a service tells others that do not run arrives here. */
const observer = 'observer';
/** Short delays, so that a test need not wait; for as long as a test may take, so that on a busy machine nothing is parked too early. */
const shortRetryDelaysMs = [20, 50, 100, ...Array.from({ length: 150 }, () => 200)];

export type ObservedBroker = {
  readonly broker: Broker;
  /** Everything the services told so far, in the order it arrived. */
  readonly published: readonly Envelope[];
  /** Of those, what their saga does not declare: a test that finds any fails when it stops the service. */
  readonly undeclared: readonly string[];
};

/** The in-process driver for these services, and somebody who hears all they tell. */
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
  const broker = await openInProcessBroker({ pool, topology, log: silentLog, retryDelaysMs: shortRetryDelaysMs });
  const published: Envelope[] = [];
  const undeclared: string[] = [];
  await broker.consume(observer, { prefetch: 100 }, ({ envelope }) => {
    published.push(envelope);
    if (!isDeclared(envelope, services)) undeclared.push(`${envelope.type} in ${envelope.saga ?? ''}`);
    onPublished(envelope);
    return Promise.resolve();
  });
  return { broker, published, undeclared };
}

/** Every step may record audit entries. */
const auditType = 'audit.recorded';

function isDeclared({ type, saga }: Envelope, services: readonly ServiceName[]): boolean {
  if (saga === undefined || type === auditType) return true;
  const steps = allSagas.filter(({ name }) => name === saga).flatMap((found) => Object.values(found.steps));
  const published = steps.filter(({ by }) => services.includes(by)).flatMap(publishedBy);
  return published.some((declaration) => declaration.type === type);
}

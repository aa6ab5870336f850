import { brokerMigrations, openInProcessBroker, topologyOf, type Broker } from '../../broker/index.js';
import { allMessages, publishersOf, type Envelope } from '../../contracts/messages/index.js';
import type { ServiceName } from '../../contracts/services/index.js';
import { silentLog } from '../log/index.js';
import type { TestDatabase } from '../postgres/index.js';

/** A queue of the tests' own: what a service tells others that do not run arrives here. */
const observer = 'observer';
const shortLadderMs = [20, 50, 100, 200];

export type ObservedBroker = {
  readonly broker: Broker;
  /** Everything the services told so far, in the order it arrived. */
  readonly heard: readonly Envelope[];
};

/** The in-process driver for these services, and somebody who hears all they tell. */
export async function openObservedBroker(
  database: TestDatabase,
  services: readonly ServiceName[],
  onHeard: (envelope: Envelope) => void = () => undefined,
): Promise<ObservedBroker> {
  const { pool } = await database.open({ service: 'broker', migrations: [brokerMigrations] });
  const { queues } = topologyOf(allMessages, services);
  const isTold = (publisher: ServiceName): boolean => services.includes(publisher);
  const told = allMessages.filter((declaration) => publishersOf(declaration).some(isTold)).map(({ type }) => type);
  const topology = { queues: [...queues, { name: observer, types: told }] };
  const broker = await openInProcessBroker({ pool, topology, log: silentLog, ladderMs: shortLadderMs });
  const heard: Envelope[] = [];
  await broker.consume(observer, { prefetch: 100 }, ({ envelope }) => {
    heard.push(envelope);
    onHeard(envelope);
    return Promise.resolve();
  });
  return { broker, heard };
}

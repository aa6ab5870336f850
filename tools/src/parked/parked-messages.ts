import type { Installation } from '@holdfast/all-in-one/commands';
import { connectRabbitmq, openInProcessBroker, topologyOf, type Broker } from '@holdfast/messaging/broker';
import { parkedMessages, redriveParked, type ParkedMessages } from '@holdfast/messaging/parked';
import { allMessages } from '@holdfast/contracts/messages';
import { serviceNames, type ServiceName } from '@holdfast/contracts/services';
import { createLog } from '@holdfast/observability';
import { onDatabase, onInstallation } from '../command/on-installation.js';
import { printError } from '../command/run-command.js';
import { textTable } from '../text-table/index.js';

/** A message that waits for an operator. */
export type Parked = Awaited<ReturnType<ParkedMessages['list']>>[number] & { readonly service: ServiceName };

const shownMax = 200;
const reasonWidth = 70;
const log = createLog({ service: 'parked', level: 'error', pretty: true });

/** The parked messages of the services. */
export async function listParked(installation: Installation, services: readonly ServiceName[]): Promise<readonly Parked[]> {
  const found: Parked[] = [];
  for (const service of services) {
    const messages = await onParked(installation, service, (parked) => parked.list(shownMax));
    found.push(...messages.map((message) => ({ service, ...message })));
  }
  return found;
}

/** Sends the named messages, or all of them, back to the service. The result is their number. */
export function redriveMessages(installation: Installation, service: ServiceName, ids: readonly string[]): Promise<number> {
  return onParked(installation, service, (parked) =>
    onBroker(installation, (broker) => redriveParked({ parked, broker, queue: service }, ids.length === 0 ? undefined : ids)),
  );
}

export function unknownService(named: string): string {
  return `There is no service "${named}"; there are: ${serviceNames.join(', ')}.`;
}

/** Prints the parked messages of one service or of all. The result is the exit code. */
export async function listParkedAndPrint(named?: string): Promise<number> {
  const services = serviceNames.filter((name) => named === undefined || name === named);
  if (services.length === 0) return printError(unknownService(named ?? ''));
  await onInstallation(async (installation) => printParked(installation.title, await listParked(installation, services)));
  return 0;
}

function printParked(title: string, found: readonly Parked[]): void {
  if (found.length === 0) {
    console.log(`No messages are parked in ${title}.`);
    return;
  }
  const rows = found.map(({ service, messageId, type, attempts, parkedAt, redrivenAt, reason }) => [
    ...[service, messageId, type, attempts.toString(), parkedAt, redrivenAt ?? ''],
    reason.slice(0, reasonWidth),
  ]);
  console.log(`Parked in ${title}\n`);
  console.log(textTable(['service', 'id', 'type', 'failures', 'parked at', 'sent back at', 'reason'], rows));
}

/** Prints how many were sent back. The result is the exit code. */
export async function redriveAndPrint(service: ServiceName, ids: readonly string[]): Promise<number> {
  const count = await onInstallation((installation) => redriveMessages(installation, service, ids));
  console.log(`${count} ${count === 1 ? 'message was' : 'messages were'} sent back to ${service}.`);
  if (count > 0) console.log('Each stays in the list until the service has handled it.');
  return 0;
}

function onParked<Result>(
  installation: Installation,
  service: ServiceName,
  work: (parked: ParkedMessages) => Promise<Result>,
): Promise<Result> {
  return onDatabase(installation, { service, log }, ({ pool }) => work(parkedMessages(pool)));
}

/** Connects beside a running process, with either driver. */
async function onBroker<Result>(installation: Installation, work: (broker: Broker) => Promise<Result>): Promise<Result> {
  const { amqpUrl } = installation;
  const topology = topologyOf(allMessages, serviceNames);
  if (amqpUrl !== undefined) return andClose(await connectRabbitmq({ url: amqpUrl, topology, log }), work);
  return onDatabase(installation, { service: 'broker', log }, async ({ pool }) =>
    andClose(await openInProcessBroker({ pool, topology, log }), work),
  );
}

async function andClose<Result>(broker: Broker, work: (broker: Broker) => Promise<Result>): Promise<Result> {
  try {
    return await work(broker);
  } finally {
    await broker.close();
  }
}

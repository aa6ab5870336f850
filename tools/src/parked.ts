import type { Installation } from '@holdfast/all-in-one/commands';
import { connectRabbitmq, openInProcessBroker, topologyOf, type Broker } from '@holdfast/messaging/broker';
import { parkedMessages, redriveParked, type ParkedMessages } from '@holdfast/messaging/parked';
import { allMessages } from '@holdfast/contracts/messages';
import { serviceNames, type ServiceName } from '@holdfast/contracts/services';
import { createLog } from '@holdfast/observability';
import { onDatabase, onInstallation } from './command/on-installation.js';
import { printError, runCommand } from './command/run-command.js';
import { textTable } from './text-table.js';

/** `npm run parked -- list [service]` and `npm run parked -- redrive <service> [id…]`: the messages that wait for an operator. */
const usage = [
  'npm run parked -- list [service]             shows the parked messages',
  'npm run parked -- redrive <service> [id ...] sends them back to the service, all of them or the named ones',
].join('\n');
const shownMax = 200;
const reasonWidth = 70;
const log = createLog({ service: 'parked', level: 'error', pretty: true });

await runCommand(run);

async function run([command, named, ...ids]: readonly string[]): Promise<number> {
  const isKnown = command === 'list' || (command === 'redrive' && named !== undefined);
  if (!isKnown) return printError(usage);
  const services = serviceNames.filter((name) => named === undefined || name === named);
  const [service] = services;
  if (service === undefined) return printError(`There is no service "${named ?? ''}"; there are: ${serviceNames.join(', ')}.`);
  await onInstallation((installation) =>
    command === 'list' ? list(installation, services) : redrive(installation, service, ids),
  );
  return 0;
}

async function list(installation: Installation, services: readonly ServiceName[]): Promise<void> {
  const { title } = installation;
  const rows: (readonly string[])[] = [];
  for (const service of services) {
    const messages = await onParked(installation, service, (parked) => parked.list(shownMax));
    for (const { messageId, type, attempts, parkedAt, redrivenAt, reason } of messages)
      rows.push([service, messageId, type, attempts.toString(), parkedAt, redrivenAt ?? '', reason.slice(0, reasonWidth)]);
  }
  if (rows.length === 0) {
    console.log(`No messages are parked in ${title}.`);
    return;
  }
  console.log(`Parked in ${title}\n`);
  console.log(textTable(['service', 'id', 'type', 'failures', 'parked at', 'sent back at', 'reason'], rows));
}

async function redrive(installation: Installation, service: ServiceName, ids: readonly string[]): Promise<void> {
  const count = await onParked(installation, service, (parked) =>
    onBroker(installation, (broker) => redriveParked({ parked, broker, queue: service }, ids.length === 0 ? undefined : ids)),
  );
  console.log(`${count} ${count === 1 ? 'message was' : 'messages were'} sent back to ${service}.`);
  if (count > 0) console.log('Each stays in the list until the service has handled it.');
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

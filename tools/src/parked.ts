import type { Installation } from '@holdfast/all-in-one';
import { connectRabbitmq, listParkedRows, redriveParkedRows, topologyOf, type Broker } from '@holdfast/messaging/broker';
import { systemClock } from '@holdfast/kernel/context';
import { allMessages } from '@holdfast/contracts/messages';
import { existingServices } from '@holdfast/contracts/services';
import { createLog } from '@holdfast/observability';
import { onDatabase, onInstallation } from './command/on-installation.js';
import { printError, runCommand } from './command/run-command.js';
import { textTable } from './text-table.js';

/** `npm run parked -- list [service]` and `npm run parked -- redrive <service> [id…]`: the messages that wait for an operator. */
type Parked = Pick<Broker, 'listParked' | 'redriveParked'>;

const usage = [
  'npm run parked -- list [service]             shows the parked messages',
  'npm run parked -- redrive <service> [id ...] sends them back to the service, all of them or the named ones',
].join('\n');
const shownMax = 200;
const reasonWidth = 70;
const clock = systemClock();
const log = createLog({ service: 'parked', level: 'error', pretty: true });

await runCommand(run);

async function run([command, service, ...ids]: readonly string[]): Promise<number> {
  const isKnown = command === 'list' || (command === 'redrive' && service !== undefined);
  if (!isKnown) return printError(usage);
  if (service !== undefined && !existingServices.some((name) => name === service))
    return printError(`There is no service "${service}"; there are: ${existingServices.join(', ')}.`);
  await onInstallation((installation) =>
    onParked(installation, (parked) =>
      command === 'list'
        ? list(parked, installation, service === undefined ? existingServices : [service])
        : redrive(parked, service ?? '', ids),
    ),
  );
  return 0;
}

async function list(parked: Parked, { title }: Installation, services: readonly string[]): Promise<void> {
  const messages = (await Promise.all(services.map((name) => parked.listParked(name, shownMax)))).flat();
  if (messages.length === 0) {
    console.log(`No messages are parked in ${title}.`);
    return;
  }
  const rows = messages.map(({ queue, messageId, type, attempts, parkedAt, reason }) => [
    queue,
    messageId,
    type,
    attempts.toString(),
    parkedAt,
    reason.slice(0, reasonWidth),
  ]);
  console.log(`Parked in ${title}\n`);
  console.log(textTable(['service', 'id', 'type', 'failures', 'parked at', 'reason'], rows));
}

async function redrive(parked: Parked, service: string, ids: readonly string[]): Promise<void> {
  const count = ids.length === 0 ? await parked.redriveParked(service) : await parked.redriveParked(service, ids);
  console.log(`${count} ${count === 1 ? 'message was' : 'messages were'} sent back to ${service}.`);
}

/** Connects beside a running process, with either driver. */
async function onParked(installation: Installation, work: (parked: Parked) => Promise<void>): Promise<void> {
  const { amqpUrl } = installation;
  if (amqpUrl === undefined) {
    await onDatabase(installation, { service: 'broker', log }, ({ pool }) =>
      work({
        listParked: (queue, limitMax) => listParkedRows(pool, queue, limitMax),
        redriveParked: (queue, ids) => redriveParkedRows(pool, queue, ids),
      }),
    );
    return;
  }
  const broker = await connectRabbitmq({ url: amqpUrl, topology: topologyOf(allMessages, existingServices), log, clock });
  try {
    await work(broker);
  } finally {
    await broker.close();
  }
}

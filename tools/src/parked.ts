import { explain, openInstallation, readCommandSettings, type Installation } from '@holdfast/all-in-one';
import { connectRabbitmq, listParkedRows, redriveParkedRows, topologyOf, type Broker } from '@holdfast/shared/broker';
import { processEnvironment } from '@holdfast/shared/config';
import { systemClock } from '@holdfast/shared/context';
import { allMessages } from '@holdfast/shared/contracts/messages';
import { existingServices } from '@holdfast/shared/contracts/services';
import { createLog } from '@holdfast/shared/observability';
import { connectDatabase, derivePassword, roleOf } from '@holdfast/shared/postgres';
import { textTable } from './text-table.js';

/** `npm run parked -- list [service]` and `npm run parked -- redrive <service> [id…]`: the messages that wait for a person. */
type Parked = Pick<Broker, 'listParked' | 'redriveParked' | 'close'>;

const usage = [
  'npm run parked -- list [service]             shows the parked messages',
  'npm run parked -- redrive <service> [id ...] sends them back to the service, all of them or the named ones',
].join('\n');
const shownMax = 200;
const reasonWidth = 70;
const clock = systemClock();
const log = createLog({ service: 'parked', level: 'error', pretty: true });

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  console.error(explain(error));
  process.exitCode = 1;
}

async function run([command, service, ...ids]: readonly string[]): Promise<number> {
  const isKnown = command === 'list' || (command === 'redrive' && service !== undefined);
  if (!isKnown) return complain(usage);
  if (service !== undefined && !existingServices.some((name) => name === service))
    return complain(`There is no service "${service}"; there are: ${existingServices.join(', ')}.`);
  const installation = await openInstallation(readCommandSettings(processEnvironment()), (fact) => console.log(`… ${fact}`));
  try {
    const parked = await openParked(installation);
    try {
      if (command === 'list') await list(parked, installation, service === undefined ? existingServices : [service]);
      else await redrive(parked, service ?? '', ids);
    } finally {
      await parked.close();
    }
  } finally {
    await installation.close();
  }
  return 0;
}

function complain(text: string): number {
  console.error(text);
  return 1;
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

/** Beside the running process, on either driver. */
async function openParked({ databaseUrl, amqpUrl, internalSecret }: Installation): Promise<Parked> {
  if (amqpUrl !== undefined)
    return connectRabbitmq({ url: amqpUrl, topology: topologyOf(allMessages, existingServices), log, clock });
  const password = derivePassword(internalSecret, roleOf('broker'));
  const database = await connectDatabase({ adminUrl: databaseUrl, service: 'broker', password, poolMax: 1, log });
  return {
    listParked: (queue, limitMax) => listParkedRows(database.pool, queue, limitMax),
    redriveParked: (queue, ids) => redriveParkedRows(database.pool, clock, queue, ids),
    close: database.close,
  };
}

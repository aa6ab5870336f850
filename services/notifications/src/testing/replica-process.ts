import { connectRabbitmq, topologyOf } from '@holdfast/messaging/broker';
import { systemClock } from '@holdfast/kernel/context';
import { allMessages } from '@holdfast/contracts/messages';
import { silentLog } from '@holdfast/testing/log';
import { startOn } from './running-notifications.js';

/** A process of the service that a test can kill: told where everything is, it says `ready` and goes on until it is killed. */
const [order = '{}'] = process.argv.slice(2);
const { adminUrl, internalSecret, amqpUrl, namespace } = JSON.parse(order) as Record<
  'adminUrl' | 'internalSecret' | 'amqpUrl' | 'namespace',
  string
>;
const broker = await connectRabbitmq({
  url: amqpUrl,
  namespace,
  topology: topologyOf(allMessages, ['notifications']),
  log: silentLog,
  clock: systemClock(),
});
await startOn({ adminUrl, internalSecret }, broker, {});
process.stdout.write('ready\n');

import { connectRabbitmq, topologyOf } from '@holdfast/messaging/broker';
import { allMessages } from '@holdfast/contracts/messages';
import { silentLog } from '@holdfast/testing/log';
import { startOn } from './running-notifications.js';

/** A service process that a test can kill. Takes its settings as a JSON argument and prints `ready`. */
const [options = '{}'] = process.argv.slice(2);
const { adminUrl, internalSecret, amqpUrl, namespace } = JSON.parse(options) as Record<
  'adminUrl' | 'internalSecret' | 'amqpUrl' | 'namespace',
  string
>;
const broker = await connectRabbitmq({
  url: amqpUrl,
  namespace,
  topology: topologyOf(allMessages, ['notifications']),
  log: silentLog,
});
await startOn({ adminUrl, internalSecret }, broker, {});
process.stdout.write('ready\n');

import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { notifications } from '@holdfast/notifications';
import { brokerMigrations, openInProcessBroker, topologyOf } from '@holdfast/messaging/broker';
import { systemClock } from '@holdfast/kernel/context';
import { allMessages, orderClosed, type Envelope } from '@holdfast/contracts/messages';
import { idFactory } from '@holdfast/kernel/ids';
import { createLifecycle } from '@holdfast/process/lifecycle';
import { createLog } from '@holdfast/observability';
import { openDatabase } from '@holdfast/postgres';
import { startService } from '@holdfast/service-kit';
import { nowMark } from './mark.js';
import { publishTask, type PublishTask } from './tasks.js';

/** The service in its own process, with a publisher that sends events as an outbox relay would. */
const [adminUrl = '', internalSecret = '', settings = '{}'] = process.argv.slice(2);
const env = z.record(z.string(), z.string()).parse(JSON.parse(settings));
const log = createLog({ service: 'notifications', level: 'warn', pretty: false });
const clock = systemClock();
const newId = idFactory(clock.epochMs);
const lifecycle = createLifecycle({ log });

const { pool, close } = await openDatabase({
  adminUrl,
  service: 'broker',
  internalSecret,
  migrations: [brokerMigrations],
  entities: [],
  poolMax: 4,
  log,
});
lifecycle.onStop('broker database', close);
const broker = await openInProcessBroker({ pool, topology: topologyOf(allMessages, ['notifications']), log });
lifecycle.onStop('broker', broker.close);
const platform = { adminUrl, internalSecret, broker, env, log, clock, newId, lifecycle, host: '127.0.0.1', port: 0 };
const { port } = await startService(notifications, platform);

process.on('message', (message) => {
  publish(publishTask.parse(message)).then(
    (count) => process.send?.(count),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
process.once('disconnect', () => {
  lifecycle.stop('the benchmark is over').then(
    () => process.exit(0),
    () => process.exit(1),
  );
});
process.send?.(port);

const batchMax = 500;

async function publish({ marketplaceId, count, perSecond }: PublishTask): Promise<number> {
  if (perSecond === 0) {
    for (let published = 0; published < count; published += batchMax)
      await broker.publish(Array.from({ length: Math.min(batchMax, count - published) }, () => anEvent(marketplaceId)));
    return count;
  }
  const begunAt = performance.now();
  for (let published = 0; published < count; published += 1) {
    await pause(Math.max(0, begunAt + (published * 1_000) / perSecond - performance.now()));
    await broker.publish([anEvent(marketplaceId)]);
  }
  return count;
}

function anEvent(marketplaceId: PublishTask['marketplaceId']): Envelope {
  const orderId = newId('ord');
  return {
    id: newId('evt'),
    type: orderClosed.type,
    version: orderClosed.version,
    occurredAt: clock.now(),
    aggregateType: orderClosed.aggregateType,
    aggregateId: orderId,
    aggregateVersion: 1,
    marketplaceId,
    correlationId: '7f0c1a52-3f5e-4c1b-9a53-0c2f6f0f7d11',
    payload: { orderId, finalStatus: 'RELEASED', closedAt: nowMark() },
  };
}

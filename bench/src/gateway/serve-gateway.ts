import { startGateway } from '@holdfast/gateway';
import { systemClock } from '@holdfast/kernel/context';
import { createLog, createMetrics } from '@holdfast/observability';
import { benchRoutes } from './routes.js';
import { gatewayTask } from './task.js';

/** The real gateway, in its own process, on routes of the benchmark. No keys are revoked here, so it consumes no notifications. */
const { logLevel, ...settings } = gatewayTask.parse(JSON.parse(process.argv[2] ?? ''));

const gateway = await startGateway({
  ...settings,
  host: '127.0.0.1',
  port: 0,
  serviceUrls: { 'ledger-balance': settings.serviceUrl },
  rateLimitWindowSeconds: 60,
  rateLimitRoutes: '',
  operatorRoutes: 'off',
  eventStreamsMax: 0,
  eventStreamsTotalMax: 20_000,
  topupAmountMin: '1.00',
  topupAmountMax: '10000.00',
  withdrawalAmountMin: '1.00',
  withdrawalAmountMax: '5000.00',
  orderAmountMin: '1.00',
  orderAmountMax: '50000.00',
  escrowCurrencies: ['USD', 'USDC', 'XLM'],
  trustedProxyHops: 0,
  corsOrigins: '',
  console: 'off',
  proxyTimeoutMs: 10_000,
  poolMax: 6,
  version: 'bench',
  routes: benchRoutes,
  log: createLog({ service: 'gateway', level: logLevel, pretty: false }),
  metrics: createMetrics({ service: 'gateway' }),
  clock: systemClock(),
  broker: { isHealthy: () => true, onNotification: () => () => undefined },
});
process.send?.(gateway.port);
process.once('disconnect', () => {
  gateway.stop().then(
    () => process.exit(),
    () => process.exit(1),
  );
});

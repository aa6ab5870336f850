import { testServerUrl } from '../servers/index.js';

export { startCuttingProxy, type CuttingProxy } from './cutting-proxy.js';
export { startMessageLoss, type MessageLoss, type MessageToLose } from './message-loss.js';
export { startMessageReordering, type MessageReordering } from './message-reordering.js';
export type { ProvidedRabbitmq } from './container.js';
export { lockDefaultNamespace, type DefaultNamespace } from './default-namespace.js';
/** @public Loaded by jest-global-setup.cjs. */
export { provideRabbitmq } from './provide-rabbitmq.js';

/** The RabbitMQ that all test files share. Each test uses its own namespace. */
export function testRabbitmqUrl(): Promise<string> {
  return testServerUrl('rabbitmq');
}

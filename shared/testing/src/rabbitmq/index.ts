import { testServerUrl } from '../servers/index.js';

export { startCuttingProxy, type CuttingProxy } from './cutting-proxy.js';
export { startMessageReordering, type MessageReordering } from './message-reordering.js';
export type { ProvidedRabbitmq } from './container.js';
export { lockDefaultNamespace, type DefaultNamespace } from './default-namespace.js';
/** @public Loaded by jest-global-setup.cjs. */
export { provideRabbitmq } from './provide-rabbitmq.js';

/** The broker that all test files share. Tests keep apart by a namespace of their own. */
export function testRabbitmqUrl(): Promise<string> {
  return testServerUrl('rabbitmq');
}

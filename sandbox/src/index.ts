export { settings as sandboxSettings } from './config.js';
export { networkPassphrase, sandboxPortDefault, type Sandbox, type SandboxOptions, type WebhookTarget } from './options.js';
export { startSandbox } from './start-sandbox.js';

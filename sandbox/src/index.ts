export { networkPassphrase, sandboxPortDefault, type Sandbox, type SandboxOptions, type WebhookTarget } from './options.js';

export { ApiKeysPage } from './api-keys-page.js';
export { DeliveryPage } from './delivery-page.js';
export { SandboxPage } from './sandbox-page.js';
export { WebhookPage } from './webhook-page.js';
export { WebhooksPage } from './webhooks-page.js';

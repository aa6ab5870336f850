export { createPaymentWebhooks } from './http/payment-webhooks.js';
export { createSignatureVerifier } from './http/webhook-signature.js';
export { readPaymentEvent } from './providers/payment-events.js';
export { payments } from './service.js';

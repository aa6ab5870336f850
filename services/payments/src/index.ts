export { createSignatureVerifier } from './http/webhook-signature.js';
export { readPaymentEvent } from './providers/payment-events.js';
export { payments } from './service.js';
export { createEventReceiver } from './webhooks.js';

import { apiKeyMessages } from './api-key.js';
import { balanceMessages } from './balance.js';
import { escrowMessages } from './escrow.js';
import type { MessageDeclaration } from './message.js';
import { orderMessages } from './order.js';
import { paymentMessages } from './payment.js';
import { userMessages } from './user.js';

export * from './api-key.js';
export * from './balance.js';
export * from './escrow.js';
export * from './message.js';
export * from './order.js';
export * from './payment.js';
export * from './user.js';

/** Every message of the platform; queues and bindings are computed from it. */
export const allMessages: readonly MessageDeclaration[] = [
  ...apiKeyMessages,
  ...userMessages,
  ...balanceMessages,
  ...orderMessages,
  ...escrowMessages,
  ...paymentMessages,
];

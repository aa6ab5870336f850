import { acknowledgementMessages } from './acknowledgement.js';
import { apiKeyMessages } from './api-key.js';
import { auditMessages } from './audit.js';
import { balanceMessages } from './balance.js';
import { custodyMessages } from './custody.js';
import { disputeMessages } from './dispute.js';
import { emergencyStopMessages } from './emergency-stop.js';
import { escrowMessages } from './escrow.js';
import { marketplaceMessages } from './marketplace.js';
import type { MessageDeclaration } from './message.js';
import { milestoneMessages } from './milestone.js';
import { orderMessages } from './order.js';
import { caseMessages } from './reconciliation.js';
import { topupMessages } from './topup.js';
import { userMessages } from './user.js';
import { webhookEndpointMessages } from './webhook-endpoint.js';
import { withdrawalMessages } from './withdrawal.js';

/** All messages. Queues and bindings are computed from them. */
export const allMessages: readonly MessageDeclaration[] = [
  ...apiKeyMessages,
  ...emergencyStopMessages,
  ...marketplaceMessages,
  ...userMessages,
  ...balanceMessages,
  ...orderMessages,
  ...milestoneMessages,
  ...disputeMessages,
  ...escrowMessages,
  ...custodyMessages,
  ...topupMessages,
  ...withdrawalMessages,
  ...webhookEndpointMessages,
  ...caseMessages,
  ...auditMessages,
  ...acknowledgementMessages,
];

import * as message from '../messages/index.js';
import type { MessageDeclaration } from '../messages/index.js';
import type { ServiceName } from '../services/index.js';

const { userCreated, userChanged, emergencyStopChanged, custodyUnknownOutflowFound, testClockAdvanced } = message;

/** The messages that services consume outside of sagas. notifications also consumes all public messages. */
export const outsideSagas = {
  identity: {
    userLedgerLinked: message.userLedgerLinked,
    userPaymentAccountLinked: message.userPaymentAccountLinked,
    custodyUnknownOutflowFound,
  },
  'ledger-balance': {
    userCreated,
    userChanged,
    custodyTransactionsLanded: message.custodyTransactionsLanded,
    providerAccountChanged: message.providerAccountChanged,
  },
  orders: {
    marketplaceChanged: message.marketplaceChanged,
    testClockAdvanced,
    userCreated,
    userChanged,
    emergencyStopChanged,
    escrowDisputeSeen: message.escrowDisputeSeen,
    escrowMilestoneSeen: message.escrowMilestoneSeen,
  },
  'escrow-adapter': { userCreated, userChanged, emergencyStopChanged, caseResolved: message.caseResolved },
  payments: {
    userCreated,
    userChanged,
    emergencyStopChanged,
    testClockAdvanced,
    balanceDifferenceFound: message.balanceDifferenceFound,
    custodyUnknownDepositFound: message.custodyUnknownDepositFound,
    custodyUnconfirmedDepositFound: message.custodyUnconfirmedDepositFound,
    custodyUnknownOutflowFound,
    custodyRecordQuarantined: message.custodyRecordQuarantined,
  },
  notifications: {
    auditRecorded: message.auditRecorded,
    testClockAdvanced,
    apiKeyRevoked: message.apiKeyRevoked,
    apiKeyRotated: message.apiKeyRotated,
  },
} as const satisfies Record<ServiceName, Readonly<Record<string, MessageDeclaration>>>;

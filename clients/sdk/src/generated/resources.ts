// Written by `npm run generate:sdk` from docs/generated/openapi.json. Do not edit.

import type { CallOptions } from '../call-options.js';
import type { List } from '../list.js';
import type {
  AccessToken,
  AccountBalances,
  AccountEscrow,
  AccountTransaction,
  AccountsConnectWalletData,
  AccountsListTransactionsData,
  AccountsLogInData,
  AccountsRegisterData,
  ApiKey,
  ApiKeysCreateData,
  ApiKeysCreateTokenData,
  ApiKeysListData,
  ApiKeysRotateData,
  AuditEntry,
  AuditListEntriesData,
  AuditProof,
  AuthContext,
  Balance,
  BalanceAfterTransfer,
  BalanceCreditedWebhookPayload,
  BalanceDebitedWebhookPayload,
  BalanceReleasedWebhookPayload,
  BalanceReservedWebhookPayload,
  BalanceSyncResult,
  BalanceTransaction,
  BalanceVerification,
  BalancesCancelReservationData,
  BalancesCreditData,
  BalancesDebitData,
  BalancesDeductReservedData,
  BalancesGetData,
  BalancesListData,
  BalancesListReservationsData,
  BalancesListTransactionsData,
  BalancesReleaseData,
  BalancesReserveData,
  BalancesSyncData,
  BalancesVerifyData,
  DepositAddress,
  DetailedHealth,
  Dispute,
  DisputeComment,
  DisputeDueSoonWebhookPayload,
  DisputeEvidenceAddedWebhookPayload,
  DisputeOpenedWebhookPayload,
  DisputeOverdueWebhookPayload,
  DisputeResolvedWebhookPayload,
  DisputeUnderReviewWebhookPayload,
  DisputesAddEvidenceData,
  DisputesAssignData,
  DisputesCreateCommentData,
  DisputesListCommentsData,
  DisputesListData,
  DisputesOpenData,
  DisputesResolveData,
  EmergencyStop,
  EscrowCreatedWebhookPayload,
  EscrowFundedWebhookPayload,
  EscrowFundingStartedWebhookPayload,
  EscrowMilestoneCompletedWebhookPayload,
  EscrowRefundedWebhookPayload,
  EscrowReleasedWebhookPayload,
  Event,
  EventsListData,
  Health,
  LedgerProof,
  LoggedIn,
  Marketplace,
  MarketplacesCreateData,
  MarketplacesListData,
  MarketplacesUpdateData,
  Milestone,
  MilestoneChangesRequestedWebhookPayload,
  MilestoneDisputedWebhookPayload,
  MilestoneRefundedWebhookPayload,
  MilestoneReleaseDueSoonWebhookPayload,
  MilestoneReleasedWebhookPayload,
  MilestoneReviewExtendedWebhookPayload,
  MilestoneSubmittedWebhookPayload,
  NewAccount,
  NewApiKey,
  OpenedDispute,
  OperationsListParkedMessagesData,
  OperationsListSagasData,
  OperationsRedriveParkedMessagesData,
  OperationsRedriveSagaData,
  OperationsSetEmergencyStopData,
  Order,
  OrderCanceledWebhookPayload,
  OrderClosedWebhookPayload,
  OrderCreatedWebhookPayload,
  OrderDisputedWebhookPayload,
  OrderEscrowCreatingWebhookPayload,
  OrderEscrowFundedWebhookPayload,
  OrderEscrowFundingWebhookPayload,
  OrderFundsReservedWebhookPayload,
  OrderInProgressWebhookPayload,
  OrderRefundRequestedWebhookPayload,
  OrderRefundedWebhookPayload,
  OrderReleaseRequestedWebhookPayload,
  OrderReleasedWebhookPayload,
  OrderTimeline,
  OrderTransfer,
  OrderWithMilestone,
  OrdersCancelData,
  OrdersCreateData,
  OrdersDisputeMilestoneData,
  OrdersExtendMilestoneReviewData,
  OrdersListData,
  OrdersListMilestonesData,
  OrdersListTransfersData,
  OrdersRefundData,
  OrdersRefundMilestoneData,
  OrdersReleaseData,
  OrdersRequestMilestoneChangesData,
  OrdersSubmitMilestoneData,
  ParkedMessages,
  PaymentAccountLink,
  PlatformConfig,
  Project,
  ProjectsCreateData,
  ProjectsInitEscrowData,
  ProjectsListData,
  ProjectsReleaseEscrowData,
  ProjectsUpdateData,
  ProviderControls,
  ReconciliationCase,
  ReconciliationCreateReportsResponse,
  ReconciliationListCasesData,
  ReconciliationListReportsData,
  ReconciliationReport,
  ReconciliationResolveCaseData,
  RedrivenMessages,
  ReleasedEscrow,
  Reservation,
  ResolutionPreview,
  RotatedApiKey,
  SagaRun,
  SagaRunPage,
  SandboxAddFaultData,
  SandboxCancelTopupData,
  SandboxConfirmTopupData,
  SandboxDropCoinsData,
  SandboxDropCoinsResponse,
  SandboxFailTopupData,
  SandboxFailWithdrawalData,
  SandboxFaults,
  SandboxRequireActionData,
  Statement,
  StatementsGetData,
  Summary,
  SummaryGetData,
  TestClock,
  TestClockAdvanceData,
  TopUp,
  TopupCanceledWebhookPayload,
  TopupConfirmationRequiredWebhookPayload,
  TopupCreatedWebhookPayload,
  TopupFailedWebhookPayload,
  TopupProcessingWebhookPayload,
  TopupSucceededWebhookPayload,
  TopupsCancelData,
  TopupsCreateData,
  TopupsListData,
  Treasury,
  User,
  UserCreatedWebhookPayload,
  UserLedgerLinkedWebhookPayload,
  UserPaymentAccountLinkedWebhookPayload,
  UsersCreateData,
  UsersLinkPaymentAccountData,
  UsersListData,
  UsersUpdateData,
  Wallet,
  WalletLink,
  WalletTransaction,
  WalletsListTransactionsData,
  WebhookDeliveriesListData,
  WebhookDelivery,
  WebhookDeliveryWithLog,
  WebhookEndpoint,
  WebhookEndpointDisabledWebhookPayload,
  WebhookEndpointFailingWebhookPayload,
  WebhookEndpointWithSecret,
  WebhookEndpointsCreateData,
  WebhookEndpointsEnableData,
  WebhookEndpointsListData,
  WebhookEndpointsReplayData,
  WebhookEndpointsReplayResponse,
  WebhookEndpointsRotateSecretData,
  WebhookEndpointsTestData,
  WebhookEndpointsUpdateData,
  Withdrawal,
  WithdrawalCanceledWebhookPayload,
  WithdrawalCommittedWebhookPayload,
  WithdrawalCompletedWebhookPayload,
  WithdrawalCreatedWebhookPayload,
  WithdrawalFailedWebhookPayload,
  WithdrawalPendingUserActionWebhookPayload,
  WithdrawalPendingWebhookPayload,
  WithdrawalsCancelData,
  WithdrawalsCreateData,
  WithdrawalsListData,
} from './types.js';

/** The codes of the platform's errors. */
export type ErrorCode =
  | 'VALIDATION_ERROR'
  | 'INVALID_AMOUNT'
  | 'INVALID_PUBLIC_KEY'
  | 'RESERVATION_EXCEEDED'
  | 'INVALID_RESERVED_DEDUCTION'
  | 'ESCROW_FUNDING_FAILED'
  | 'UNAUTHORIZED'
  | 'WEBHOOK_SIGNATURE_INVALID'
  | 'INSUFFICIENT_SCOPE'
  | 'NOT_FOUND'
  | 'USER_NOT_FOUND'
  | 'ORDER_NOT_FOUND'
  | 'PROJECT_NOT_FOUND'
  | 'ESCROW_NOT_FOUND'
  | 'DISPUTE_NOT_FOUND'
  | 'MILESTONE_NOT_FOUND'
  | 'TOPUP_NOT_FOUND'
  | 'WITHDRAWAL_NOT_FOUND'
  | 'MARKETPLACE_NOT_FOUND'
  | 'API_KEY_NOT_FOUND'
  | 'WALLET_NOT_FOUND'
  | 'CASE_NOT_FOUND'
  | 'WEBHOOK_ENDPOINT_NOT_FOUND'
  | 'WEBHOOK_DELIVERY_NOT_FOUND'
  | 'EVENT_NOT_FOUND'
  | 'RESERVATION_NOT_FOUND'
  | 'METHOD_NOT_ALLOWED'
  | 'INVALID_STATE'
  | 'DISPUTE_ALREADY_OPEN'
  | 'ESCROW_ALREADY_EXISTS'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'IDEMPOTENCY_KEY_IN_PROGRESS'
  | 'REFERENCE_EXISTS'
  | 'CLIENT_ORDER_REF_EXISTS'
  | 'PAYLOAD_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'INSUFFICIENT_FUNDS'
  | 'RESERVE_NOT_FOUND'
  | 'PAYMENT_ACCOUNT_NOT_LINKED'
  | 'PAYMENT_ACCOUNT_INVALID'
  | 'PAYMENT_REFUSED'
  | 'USER_NOT_ACTIVE'
  | 'LIMIT_EXCEEDED'
  | 'RATE_LIMITED'
  | 'HEADERS_TOO_LARGE'
  | 'INTERNAL_ERROR'
  | 'VERIFICATION_FAILED'
  | 'SERVICE_UNAVAILABLE'
  | 'PLATFORM_STOPPED'
  | 'PROVIDER_TIMEOUT';

/** An event, as the stream and webhooks carry it. `eventType` tells which payload it has. */
export type HoldfastEvent =
  | UserCreatedWebhookPayload
  | UserLedgerLinkedWebhookPayload
  | UserPaymentAccountLinkedWebhookPayload
  | BalanceCreditedWebhookPayload
  | BalanceDebitedWebhookPayload
  | BalanceReservedWebhookPayload
  | BalanceReleasedWebhookPayload
  | OrderCreatedWebhookPayload
  | OrderFundsReservedWebhookPayload
  | OrderEscrowCreatingWebhookPayload
  | OrderEscrowFundingWebhookPayload
  | OrderEscrowFundedWebhookPayload
  | OrderInProgressWebhookPayload
  | OrderReleaseRequestedWebhookPayload
  | OrderReleasedWebhookPayload
  | OrderRefundRequestedWebhookPayload
  | OrderRefundedWebhookPayload
  | OrderDisputedWebhookPayload
  | OrderClosedWebhookPayload
  | OrderCanceledWebhookPayload
  | MilestoneReleasedWebhookPayload
  | MilestoneRefundedWebhookPayload
  | MilestoneSubmittedWebhookPayload
  | MilestoneChangesRequestedWebhookPayload
  | MilestoneReviewExtendedWebhookPayload
  | MilestoneReleaseDueSoonWebhookPayload
  | MilestoneDisputedWebhookPayload
  | DisputeOpenedWebhookPayload
  | DisputeUnderReviewWebhookPayload
  | DisputeResolvedWebhookPayload
  | DisputeEvidenceAddedWebhookPayload
  | DisputeDueSoonWebhookPayload
  | DisputeOverdueWebhookPayload
  | EscrowCreatedWebhookPayload
  | EscrowFundingStartedWebhookPayload
  | EscrowFundedWebhookPayload
  | EscrowMilestoneCompletedWebhookPayload
  | EscrowReleasedWebhookPayload
  | EscrowRefundedWebhookPayload
  | TopupCreatedWebhookPayload
  | TopupConfirmationRequiredWebhookPayload
  | TopupProcessingWebhookPayload
  | TopupSucceededWebhookPayload
  | TopupFailedWebhookPayload
  | TopupCanceledWebhookPayload
  | WithdrawalCreatedWebhookPayload
  | WithdrawalCommittedWebhookPayload
  | WithdrawalPendingWebhookPayload
  | WithdrawalPendingUserActionWebhookPayload
  | WithdrawalCompletedWebhookPayload
  | WithdrawalFailedWebhookPayload
  | WithdrawalCanceledWebhookPayload
  | WebhookEndpointFailingWebhookPayload
  | WebhookEndpointDisabledWebhookPayload;

export type MarketplacesListInput = NonNullable<MarketplacesListData['query']>;
export type MarketplacesCreateInput = NonNullable<MarketplacesCreateData['body']>;
export type MarketplacesUpdateInput = NonNullable<MarketplacesUpdateData['body']>;
export type TestClockAdvanceInput = NonNullable<TestClockAdvanceData['body']>;
export type ApiKeysListInput = NonNullable<ApiKeysListData['query']>;
export type ApiKeysCreateInput = NonNullable<ApiKeysCreateData['body']>;
export type ApiKeysRotateInput = NonNullable<ApiKeysRotateData['body']>;
export type ApiKeysCreateTokenInput = NonNullable<ApiKeysCreateTokenData['body']>;
export type UsersListInput = NonNullable<UsersListData['query']>;
export type UsersCreateInput = NonNullable<UsersCreateData['body']>;
export type UsersUpdateInput = NonNullable<UsersUpdateData['body']>;
export type UsersLinkPaymentAccountInput = NonNullable<UsersLinkPaymentAccountData['body']>;
export type BalancesGetInput = NonNullable<BalancesGetData['query']>;
export type BalancesCreditInput = NonNullable<BalancesCreditData['body']>;
export type BalancesDebitInput = NonNullable<BalancesDebitData['body']>;
export type BalancesReserveInput = NonNullable<BalancesReserveData['body']>;
export type BalancesReleaseInput = NonNullable<BalancesReleaseData['body']>;
export type BalancesDeductReservedInput = NonNullable<BalancesDeductReservedData['body']>;
export type BalancesCancelReservationInput = NonNullable<BalancesCancelReservationData['body']>;
export type BalancesSyncInput = NonNullable<BalancesSyncData['body']>;
export type BalancesVerifyInput = NonNullable<BalancesVerifyData['query']>;
export type BalancesListTransactionsInput = NonNullable<BalancesListTransactionsData['query']>;
export type BalancesListInput = NonNullable<BalancesListData['query']>;
export type BalancesListReservationsInput = NonNullable<BalancesListReservationsData['query']>;
export type StatementsGetInput = NonNullable<StatementsGetData['query']>;
export type WalletsListTransactionsInput = NonNullable<WalletsListTransactionsData['query']>;
export type OrdersListInput = NonNullable<OrdersListData['query']>;
export type OrdersCreateInput = NonNullable<OrdersCreateData['body']>;
export type OrdersCancelInput = NonNullable<OrdersCancelData['body']>;
export type OrdersListMilestonesInput = NonNullable<OrdersListMilestonesData['query']>;
export type OrdersSubmitMilestoneInput = NonNullable<OrdersSubmitMilestoneData['body']>;
export type OrdersRequestMilestoneChangesInput = NonNullable<OrdersRequestMilestoneChangesData['body']>;
export type OrdersExtendMilestoneReviewInput = NonNullable<OrdersExtendMilestoneReviewData['body']>;
export type OrdersRefundMilestoneInput = NonNullable<OrdersRefundMilestoneData['body']>;
export type OrdersDisputeMilestoneInput = NonNullable<OrdersDisputeMilestoneData['body']>;
export type OrdersListTransfersInput = NonNullable<OrdersListTransfersData['query']>;
export type OrdersReleaseInput = NonNullable<OrdersReleaseData['body']>;
export type OrdersRefundInput = NonNullable<OrdersRefundData['body']>;
export type DisputesOpenInput = NonNullable<DisputesOpenData['body']>;
export type DisputesListInput = NonNullable<DisputesListData['query']>;
export type DisputesAssignInput = NonNullable<DisputesAssignData['body']>;
export type DisputesAddEvidenceInput = NonNullable<DisputesAddEvidenceData['body']>;
export type DisputesResolveInput = NonNullable<DisputesResolveData['body']> & NonNullable<DisputesResolveData['query']>;
export type DisputesListCommentsInput = NonNullable<DisputesListCommentsData['query']>;
export type DisputesCreateCommentInput = NonNullable<DisputesCreateCommentData['body']>;
export type TopupsListInput = NonNullable<TopupsListData['query']>;
export type TopupsCreateInput = NonNullable<TopupsCreateData['body']>;
export type TopupsCancelInput = NonNullable<TopupsCancelData['body']>;
export type WithdrawalsListInput = NonNullable<WithdrawalsListData['query']>;
export type WithdrawalsCreateInput = NonNullable<WithdrawalsCreateData['body']>;
export type WithdrawalsCancelInput = NonNullable<WithdrawalsCancelData['body']>;
export type ReconciliationListCasesInput = NonNullable<ReconciliationListCasesData['query']>;
export type ReconciliationResolveCaseInput = NonNullable<ReconciliationResolveCaseData['body']>;
export type ReconciliationListReportsInput = NonNullable<ReconciliationListReportsData['query']>;
export type EventsListInput = NonNullable<EventsListData['query']>;
export type WebhookEndpointsListInput = NonNullable<WebhookEndpointsListData['query']>;
export type WebhookEndpointsCreateInput = NonNullable<WebhookEndpointsCreateData['body']>;
export type WebhookEndpointsUpdateInput = NonNullable<WebhookEndpointsUpdateData['body']>;
export type WebhookEndpointsRotateSecretInput = NonNullable<WebhookEndpointsRotateSecretData['body']>;
export type WebhookEndpointsTestInput = NonNullable<WebhookEndpointsTestData['body']>;
export type WebhookEndpointsReplayInput = NonNullable<WebhookEndpointsReplayData['body']>;
export type WebhookEndpointsEnableInput = NonNullable<WebhookEndpointsEnableData['body']>;
export type WebhookDeliveriesListInput = NonNullable<WebhookDeliveriesListData['query']>;
export type AuditListEntriesInput = NonNullable<AuditListEntriesData['query']>;
export type SummaryGetInput = NonNullable<SummaryGetData['query']>;
export type AccountsRegisterInput = NonNullable<AccountsRegisterData['body']>;
export type AccountsLogInInput = NonNullable<AccountsLogInData['body']>;
export type AccountsListTransactionsInput = NonNullable<AccountsListTransactionsData['query']>;
export type AccountsConnectWalletInput = NonNullable<AccountsConnectWalletData['body']>;
export type ProjectsListInput = NonNullable<ProjectsListData['query']>;
export type ProjectsCreateInput = NonNullable<ProjectsCreateData['body']>;
export type ProjectsInitEscrowInput = NonNullable<ProjectsInitEscrowData['body']>;
export type ProjectsReleaseEscrowInput = NonNullable<ProjectsReleaseEscrowData['body']>;
export type ProjectsUpdateInput = NonNullable<ProjectsUpdateData['body']>;
export type OperationsListSagasInput = NonNullable<OperationsListSagasData['query']>;
export type OperationsRedriveSagaInput = NonNullable<OperationsRedriveSagaData['body']>;
export type OperationsListParkedMessagesInput = NonNullable<OperationsListParkedMessagesData['query']>;
export type OperationsRedriveParkedMessagesInput = NonNullable<OperationsRedriveParkedMessagesData['body']>;
export type OperationsSetEmergencyStopInput = NonNullable<OperationsSetEmergencyStopData['body']>;
export type SandboxConfirmTopupInput = NonNullable<SandboxConfirmTopupData['body']>;
export type SandboxFailTopupInput = NonNullable<SandboxFailTopupData['body']>;
export type SandboxCancelTopupInput = NonNullable<SandboxCancelTopupData['body']>;
export type SandboxFailWithdrawalInput = NonNullable<SandboxFailWithdrawalData['body']>;
export type SandboxRequireActionInput = NonNullable<SandboxRequireActionData['body']>;
export type SandboxDropCoinsInput = NonNullable<SandboxDropCoinsData['body']>;
export type SandboxAddFaultInput = NonNullable<SandboxAddFaultData['body']>;

/** The operations of the platform, one method each. */
export abstract class Resources {
  declare readonly platform: {
    /** Get platform configuration: `GET /api/v1/config`. */
    getConfig(options?: CallOptions): Promise<PlatformConfig>;
    /** Check that the API is up: `GET /api/v1/health`. */
    getHealth(options?: CallOptions): Promise<Health>;
    /** Get platform health: `GET /api/v1/health/detailed`. */
    getDetailedHealth(options?: CallOptions): Promise<DetailedHealth>;
  };
  declare readonly marketplaces: {
    /** List marketplaces: `GET /api/v1/marketplaces`. */
    list(input?: MarketplacesListInput, options?: CallOptions): List<Marketplace>;
    /** Create a marketplace: `POST /api/v1/marketplaces`. */
    create(input: MarketplacesCreateInput, options?: CallOptions): Promise<Marketplace>;
    /** Change the settings of a marketplace: `PATCH /api/v1/marketplaces/{id}`. */
    update(id: string, input?: MarketplacesUpdateInput, options?: CallOptions): Promise<Marketplace>;
  };
  declare readonly testClock: {
    /** Get the test clock: `GET /api/v1/test-clock`. */
    get(options?: CallOptions): Promise<TestClock>;
    /** Advance the test clock: `POST /api/v1/test-clock/advance`. */
    advance(input: TestClockAdvanceInput, options?: CallOptions): Promise<TestClock>;
  };
  declare readonly apiKeys: {
    /** List API keys: `GET /api/v1/auth/api-keys`. */
    list(input?: ApiKeysListInput, options?: CallOptions): List<ApiKey>;
    /** Create an API key: `POST /api/v1/auth/api-keys`. */
    create(input: ApiKeysCreateInput, options?: CallOptions): Promise<NewApiKey>;
    /** Rotate an API key: `POST /api/v1/auth/api-keys/{id}/rotate`. */
    rotate(id: string, input?: ApiKeysRotateInput, options?: CallOptions): Promise<RotatedApiKey>;
    /** Create an access token: `POST /api/v1/auth/api-keys/{id}/token`. */
    createToken(id: string, input?: ApiKeysCreateTokenInput, options?: CallOptions): Promise<AccessToken>;
    /** Revoke an API key: `DELETE /api/v1/auth/api-keys/{id}`. */
    revoke(id: string, options?: CallOptions): Promise<ApiKey>;
    /** Get the current credential: `GET /api/v1/auth/me`. */
    getCurrent(options?: CallOptions): Promise<AuthContext>;
  };
  declare readonly users: {
    /** List users: `GET /api/v1/users`. */
    list(input?: UsersListInput, options?: CallOptions): List<User>;
    /** Create a user: `POST /api/v1/users`. */
    create(input: UsersCreateInput, options?: CallOptions): Promise<User>;
    /** Get a user: `GET /api/v1/users/{id}`. */
    get(id: string, options?: CallOptions): Promise<User>;
    /** Update a user: `PATCH /api/v1/users/{id}`. */
    update(id: string, input?: UsersUpdateInput, options?: CallOptions): Promise<User>;
    /** Link a payment account: `POST /api/v1/users/{id}/payment-account/link`. */
    linkPaymentAccount(id: string, input?: UsersLinkPaymentAccountInput, options?: CallOptions): Promise<PaymentAccountLink>;
  };
  declare readonly balances: {
    /** Get a balance: `GET /api/v1/users/{userId}/balance`. */
    get(userId: string, input?: BalancesGetInput, options?: CallOptions): Promise<Balance>;
    /** Credit a balance: `POST /api/v1/users/{userId}/balance/credit`. */
    credit(userId: string, input: BalancesCreditInput, options?: CallOptions): Promise<BalanceAfterTransfer>;
    /** Debit a balance: `POST /api/v1/users/{userId}/balance/debit`. */
    debit(userId: string, input: BalancesDebitInput, options?: CallOptions): Promise<BalanceAfterTransfer>;
    /** Reserve funds: `POST /api/v1/users/{userId}/balance/reserve`. */
    reserve(userId: string, input: BalancesReserveInput, options?: CallOptions): Promise<BalanceAfterTransfer>;
    /** Release reserved funds: `POST /api/v1/users/{userId}/balance/release`. */
    release(userId: string, input: BalancesReleaseInput, options?: CallOptions): Promise<BalanceAfterTransfer>;
    /** Deduct reserved funds: `POST /api/v1/users/{userId}/balance/deduct-reserved`. */
    deductReserved(userId: string, input: BalancesDeductReservedInput, options?: CallOptions): Promise<BalanceAfterTransfer>;
    /** Cancel the reservations of an order: `POST /api/v1/users/{userId}/balance/cancel-reservation`. */
    cancelReservation(userId: string, input: BalancesCancelReservationInput, options?: CallOptions): Promise<BalanceAfterTransfer>;
    /** Sync a balance with the providers: `POST /api/v1/users/{userId}/balance/sync`. */
    sync(userId: string, input?: BalancesSyncInput, options?: CallOptions): Promise<BalanceSyncResult>;
    /** Verify a balance against the ledger network: `GET /api/v1/users/{userId}/balance/verify`. */
    verify(userId: string, input?: BalancesVerifyInput, options?: CallOptions): Promise<BalanceVerification>;
    /** List balance transactions: `GET /api/v1/users/{userId}/balance/transactions`. */
    listTransactions(userId: string, input?: BalancesListTransactionsInput, options?: CallOptions): List<BalanceTransaction>;
    /** List the balances of a user: `GET /api/v1/users/{userId}/balances`. */
    list(userId: string, input?: BalancesListInput, options?: CallOptions): List<Balance>;
    /** List the active reservations of a user: `GET /api/v1/users/{userId}/reservations`. */
    listReservations(userId: string, input?: BalancesListReservationsInput, options?: CallOptions): List<Reservation>;
  };
  declare readonly statements: {
    /** Get a statement: `GET /api/v1/users/{userId}/statements`. */
    get(userId: string, input: StatementsGetInput, options?: CallOptions): Promise<Statement>;
  };
  declare readonly wallets: {
    /** Get a wallet: `GET /api/v1/users/{userId}/wallet`. */
    get(userId: string, options?: CallOptions): Promise<Wallet>;
    /** Get a deposit address: `GET /api/v1/users/{userId}/wallet/deposit`. */
    getDepositAddress(userId: string, options?: CallOptions): Promise<DepositAddress>;
    /** List wallet transactions: `GET /api/v1/users/{userId}/wallet/transactions`. */
    listTransactions(userId: string, input?: WalletsListTransactionsInput, options?: CallOptions): List<WalletTransaction>;
  };
  declare readonly orders: {
    /** List orders: `GET /api/v1/orders`. */
    list(input?: OrdersListInput, options?: CallOptions): List<Order>;
    /** Create an order: `POST /api/v1/orders`. */
    create(input: OrdersCreateInput, options?: CallOptions): Promise<Order>;
    /** Get an order: `GET /api/v1/orders/{id}`. */
    get(id: string, options?: CallOptions): Promise<Order>;
    /** Reserve funds for an order: `POST /api/v1/orders/{id}/reserve`. */
    reserve(id: string, options?: CallOptions): Promise<Order>;
    /** Create the escrow of an order: `POST /api/v1/orders/{id}/escrow`. */
    createEscrow(id: string, options?: CallOptions): Promise<Order>;
    /** Fund the escrow of an order: `POST /api/v1/orders/{id}/escrow/fund`. */
    fundEscrow(id: string, options?: CallOptions): Promise<Order>;
    /** Cancel an order: `POST /api/v1/orders/{id}/cancel`. */
    cancel(id: string, input?: OrdersCancelInput, options?: CallOptions): Promise<Order>;
    /** List the milestones of an order: `GET /api/v1/orders/{id}/milestones`. */
    listMilestones(id: string, input?: OrdersListMilestonesInput, options?: CallOptions): List<Milestone>;
    /** Complete a milestone: `POST /api/v1/orders/{id}/milestones/{ref}/complete`. */
    completeMilestone(id: string, ref: string, options?: CallOptions): Promise<OrderWithMilestone>;
    /** Submit the work of a milestone: `POST /api/v1/orders/{id}/milestones/{ref}/submit`. */
    submitMilestone(id: string, ref: string, input?: OrdersSubmitMilestoneInput, options?: CallOptions): Promise<OrderWithMilestone>;
    /** Request changes to a submitted milestone: `POST /api/v1/orders/{id}/milestones/{ref}/request-changes`. */
    requestMilestoneChanges(id: string, ref: string, input: OrdersRequestMilestoneChangesInput, options?: CallOptions): Promise<OrderWithMilestone>;
    /** Extend the review of a milestone: `POST /api/v1/orders/{id}/milestones/{ref}/extend-review`. */
    extendMilestoneReview(id: string, ref: string, input: OrdersExtendMilestoneReviewInput, options?: CallOptions): Promise<OrderWithMilestone>;
    /** Release a milestone to the seller: `POST /api/v1/orders/{id}/milestones/{ref}/release`. */
    releaseMilestone(id: string, ref: string, options?: CallOptions): Promise<OrderWithMilestone>;
    /** Refund a milestone to the buyer: `POST /api/v1/orders/{id}/milestones/{ref}/refund`. */
    refundMilestone(id: string, ref: string, input: OrdersRefundMilestoneInput, options?: CallOptions): Promise<OrderWithMilestone>;
    /** Open a dispute about a milestone: `POST /api/v1/orders/{id}/milestones/{ref}/dispute`. */
    disputeMilestone(id: string, ref: string, input: OrdersDisputeMilestoneInput, options?: CallOptions): Promise<OrderWithMilestone>;
    /** List the transfers of an order: `GET /api/v1/orders/{id}/transfers`. */
    listTransfers(id: string, input?: OrdersListTransfersInput, options?: CallOptions): List<OrderTransfer>;
    /** Get what has happened to an order: `GET /api/v1/orders/{id}/timeline`. */
    getTimeline(id: string, options?: CallOptions): Promise<OrderTimeline>;
    /** Release an order to the seller: `POST /api/v1/orders/{orderId}/resolution/release`. */
    release(orderId: string, input?: OrdersReleaseInput, options?: CallOptions): Promise<Order>;
    /** Refund an order to the buyer: `POST /api/v1/orders/{orderId}/resolution/refund`. */
    refund(orderId: string, input: OrdersRefundInput, options?: CallOptions): Promise<Order>;
  };
  declare readonly disputes: {
    /** Open a dispute: `POST /api/v1/orders/{orderId}/resolution/dispute`. */
    open(orderId: string, input: DisputesOpenInput, options?: CallOptions): Promise<OpenedDispute>;
    /** List disputes: `GET /api/v1/disputes`. */
    list(input?: DisputesListInput, options?: CallOptions): List<Dispute>;
    /** Get a dispute: `GET /api/v1/disputes/{id}`. */
    get(id: string, options?: CallOptions): Promise<Dispute>;
    /** Assign a dispute to an agent: `POST /api/v1/disputes/{id}/assign`. */
    assign(id: string, input: DisputesAssignInput, options?: CallOptions): Promise<Dispute>;
    /** Add evidence to a dispute: `POST /api/v1/disputes/{id}/evidence`. */
    addEvidence(id: string, input: DisputesAddEvidenceInput, options?: CallOptions): Promise<Dispute>;
    /** Resolve a dispute: `POST /api/v1/disputes/{id}/resolve`. */
    resolve(id: string, input: DisputesResolveInput & { preview: 'true' }, options?: CallOptions): Promise<ResolutionPreview>;
    /** Resolve a dispute: `POST /api/v1/disputes/{id}/resolve`. */
    resolve(id: string, input: DisputesResolveInput, options?: CallOptions): Promise<Dispute>;
    /** List the comments on a dispute: `GET /api/v1/disputes/{id}/comments`. */
    listComments(id: string, input?: DisputesListCommentsInput, options?: CallOptions): List<DisputeComment>;
    /** Add a comment to a dispute: `POST /api/v1/disputes/{id}/comments`. */
    createComment(id: string, input: DisputesCreateCommentInput, options?: CallOptions): Promise<DisputeComment>;
  };
  declare readonly topups: {
    /** List top-ups: `GET /api/v1/topups`. */
    list(input?: TopupsListInput, options?: CallOptions): List<TopUp>;
    /** Create a top-up: `POST /api/v1/topups`. */
    create(input: TopupsCreateInput, options?: CallOptions): Promise<TopUp>;
    /** Get a top-up: `GET /api/v1/topups/{id}`. */
    get(id: string, options?: CallOptions): Promise<TopUp>;
    /** Refresh a top-up: `POST /api/v1/topups/{id}/refresh`. */
    refresh(id: string, options?: CallOptions): Promise<TopUp>;
    /** Cancel a top-up: `POST /api/v1/topups/{id}/cancel`. */
    cancel(id: string, input?: TopupsCancelInput, options?: CallOptions): Promise<TopUp>;
  };
  declare readonly withdrawals: {
    /** List withdrawals: `GET /api/v1/withdrawals`. */
    list(input?: WithdrawalsListInput, options?: CallOptions): List<Withdrawal>;
    /** Create a withdrawal: `POST /api/v1/withdrawals`. */
    create(input: WithdrawalsCreateInput, options?: CallOptions): Promise<Withdrawal>;
    /** Get a withdrawal: `GET /api/v1/withdrawals/{id}`. */
    get(id: string, options?: CallOptions): Promise<Withdrawal>;
    /** Commit a withdrawal: `POST /api/v1/withdrawals/{id}/commit`. */
    commit(id: string, options?: CallOptions): Promise<Withdrawal>;
    /** Refresh a withdrawal: `POST /api/v1/withdrawals/{id}/refresh`. */
    refresh(id: string, options?: CallOptions): Promise<Withdrawal>;
    /** Cancel a withdrawal: `POST /api/v1/withdrawals/{id}/cancel`. */
    cancel(id: string, input?: WithdrawalsCancelInput, options?: CallOptions): Promise<Withdrawal>;
  };
  declare readonly reconciliation: {
    /** List reconciliation cases: `GET /api/v1/reconciliation/cases`. */
    listCases(input?: ReconciliationListCasesInput, options?: CallOptions): List<ReconciliationCase>;
    /** Resolve a reconciliation case: `POST /api/v1/reconciliation/cases/{id}/resolve`. */
    resolveCase(id: string, input: ReconciliationResolveCaseInput, options?: CallOptions): Promise<ReconciliationCase>;
    /** List reconciliation reports: `GET /api/v1/reconciliation/reports`. */
    listReports(input?: ReconciliationListReportsInput, options?: CallOptions): List<ReconciliationReport>;
    /** Reconcile now: `POST /api/v1/reconciliation/reports`. */
    createReports(options?: CallOptions): Promise<ReconciliationCreateReportsResponse>;
  };
  declare readonly events: {
    /** List events: `GET /api/v1/event-log`. */
    list(input?: EventsListInput, options?: CallOptions): List<Event>;
    /** Get an event: `GET /api/v1/event-log/{eventId}`. */
    get(eventId: string, options?: CallOptions): Promise<Event>;
  };
  declare readonly webhookEndpoints: {
    /** List webhook endpoints: `GET /api/v1/webhook-endpoints`. */
    list(input?: WebhookEndpointsListInput, options?: CallOptions): List<WebhookEndpoint>;
    /** Create a webhook endpoint: `POST /api/v1/webhook-endpoints`. */
    create(input: WebhookEndpointsCreateInput, options?: CallOptions): Promise<WebhookEndpointWithSecret>;
    /** Get a webhook endpoint: `GET /api/v1/webhook-endpoints/{id}`. */
    get(id: string, options?: CallOptions): Promise<WebhookEndpoint>;
    /** Update a webhook endpoint: `PATCH /api/v1/webhook-endpoints/{id}`. */
    update(id: string, input?: WebhookEndpointsUpdateInput, options?: CallOptions): Promise<WebhookEndpoint>;
    /** Delete a webhook endpoint: `DELETE /api/v1/webhook-endpoints/{id}`. */
    delete(id: string, options?: CallOptions): Promise<WebhookEndpoint>;
    /** Rotate the secret of a webhook endpoint: `POST /api/v1/webhook-endpoints/{id}/rotate-secret`. */
    rotateSecret(id: string, input?: WebhookEndpointsRotateSecretInput, options?: CallOptions): Promise<WebhookEndpointWithSecret>;
    /** Send a test event to a webhook endpoint: `POST /api/v1/webhook-endpoints/{id}/test`. */
    test(id: string, input?: WebhookEndpointsTestInput, options?: CallOptions): Promise<WebhookDelivery>;
    /** Deliver past events again: `POST /api/v1/webhook-endpoints/{id}/replay`. */
    replay(id: string, input: WebhookEndpointsReplayInput, options?: CallOptions): Promise<WebhookEndpointsReplayResponse>;
    /** Disable a webhook endpoint: `POST /api/v1/webhook-endpoints/{id}/disable`. */
    disable(id: string, options?: CallOptions): Promise<WebhookEndpoint>;
    /** Enable a webhook endpoint: `POST /api/v1/webhook-endpoints/{id}/enable`. */
    enable(id: string, input?: WebhookEndpointsEnableInput, options?: CallOptions): Promise<WebhookEndpoint>;
  };
  declare readonly webhookDeliveries: {
    /** List webhook deliveries: `GET /api/v1/webhook-deliveries`. */
    list(input?: WebhookDeliveriesListInput, options?: CallOptions): List<WebhookDelivery>;
    /** Get a webhook delivery with its attempts: `GET /api/v1/webhook-deliveries/{id}`. */
    get(id: string, options?: CallOptions): Promise<WebhookDeliveryWithLog>;
    /** Deliver an event again: `POST /api/v1/webhook-deliveries/{id}/resend`. */
    resend(id: string, options?: CallOptions): Promise<WebhookDelivery>;
  };
  declare readonly audit: {
    /** List audit log entries: `GET /api/v1/audit/logs`. */
    listEntries(input?: AuditListEntriesInput, options?: CallOptions): List<AuditEntry>;
    /** Verify the audit log: `GET /api/v1/audit/verification`. */
    verify(options?: CallOptions): Promise<AuditProof>;
  };
  declare readonly summary: {
    /** Get the numbers of the marketplace: `GET /api/v1/summary`. */
    get(input?: SummaryGetInput, options?: CallOptions): Promise<Summary>;
  };
  declare readonly accounts: {
    /** Register: `POST /auth/register`. */
    register(input: AccountsRegisterInput, options?: CallOptions): Promise<NewAccount>;
    /** Log in: `POST /auth/login`. */
    logIn(input: AccountsLogInInput, options?: CallOptions): Promise<LoggedIn>;
    /** Get my balances: `GET /balances`. */
    getBalances(options?: CallOptions): Promise<AccountBalances>;
    /** List my transactions: `GET /balances/transactions`. */
    listTransactions(input?: AccountsListTransactionsInput, options?: CallOptions): List<AccountTransaction>;
    /** Link a wallet of my own: `POST /wallets/connect`. */
    connectWallet(input: AccountsConnectWalletInput, options?: CallOptions): Promise<WalletLink>;
  };
  declare readonly projects: {
    /** List my projects: `GET /projects`. */
    list(input?: ProjectsListInput, options?: CallOptions): List<Project>;
    /** Create a project: `POST /projects`. */
    create(input: ProjectsCreateInput, options?: CallOptions): Promise<Project>;
    /** Pay into escrow: `POST /escrow/init`. */
    initEscrow(input: ProjectsInitEscrowInput, options?: CallOptions): Promise<AccountEscrow>;
    /** Release an escrow: `POST /escrow/release`. */
    releaseEscrow(input: ProjectsReleaseEscrowInput, options?: CallOptions): Promise<ReleasedEscrow>;
    /** Cancel a project: `PATCH /projects/{id}`. */
    update(id: string, input: ProjectsUpdateInput, options?: CallOptions): Promise<Project>;
  };
  declare readonly operations: {
    /** List open saga runs: `GET /api/v1/operations/sagas`. */
    listSagas(input?: OperationsListSagasInput, options?: CallOptions): Promise<SagaRunPage>;
    /** Get a saga run: `GET /api/v1/operations/sagas/{id}`. */
    getSaga(id: string, options?: CallOptions): Promise<SagaRun>;
    /** Resend the command that a saga run waits for: `POST /api/v1/operations/sagas/{id}/redrive`. */
    redriveSaga(id: string, input: OperationsRedriveSagaInput, options?: CallOptions): Promise<SagaRun>;
    /** List parked messages: `GET /api/v1/operations/parked-messages`. */
    listParkedMessages(input?: OperationsListParkedMessagesInput, options?: CallOptions): Promise<ParkedMessages>;
    /** Send parked messages back to their service: `POST /api/v1/operations/parked-messages/redrive`. */
    redriveParkedMessages(input: OperationsRedriveParkedMessagesInput, options?: CallOptions): Promise<RedrivenMessages>;
    /** Get the controls of the providers: `GET /api/v1/operations/providers`. */
    getProviders(options?: CallOptions): Promise<ProviderControls>;
    /** Get the treasury: `GET /api/v1/operations/treasury`. */
    getTreasury(options?: CallOptions): Promise<Treasury>;
    /** Get the last proof of the books: `GET /api/v1/operations/ledger-proof`. */
    getLedgerProof(options?: CallOptions): Promise<LedgerProof>;
    /** Stop signing and payouts, or resume them: `POST /api/v1/operations/emergency-stop`. */
    setEmergencyStop(input: OperationsSetEmergencyStopInput, options?: CallOptions): Promise<EmergencyStop>;
  };
  declare readonly sandbox: {
    /** Pay a top-up as its payer does: `POST /api/v1/sandbox/topups/{id}/confirm`. */
    confirmTopup(id: string, input?: SandboxConfirmTopupInput, options?: CallOptions): Promise<TopUp>;
    /** Let a top-up fail at the provider: `POST /api/v1/sandbox/topups/{id}/fail`. */
    failTopup(id: string, input?: SandboxFailTopupInput, options?: CallOptions): Promise<TopUp>;
    /** Cancel a top-up as its payer does: `POST /api/v1/sandbox/topups/{id}/cancel`. */
    cancelTopup(id: string, input?: SandboxCancelTopupInput, options?: CallOptions): Promise<TopUp>;
    /** Complete the payout of a withdrawal: `POST /api/v1/sandbox/withdrawals/{id}/complete`. */
    completeWithdrawal(id: string, options?: CallOptions): Promise<Withdrawal>;
    /** Let the payout of a withdrawal fail: `POST /api/v1/sandbox/withdrawals/{id}/fail`. */
    failWithdrawal(id: string, input?: SandboxFailWithdrawalInput, options?: CallOptions): Promise<Withdrawal>;
    /** Let the payout of a withdrawal wait for its user: `POST /api/v1/sandbox/withdrawals/{id}/require-action`. */
    requireAction(id: string, input?: SandboxRequireActionInput, options?: CallOptions): Promise<Withdrawal>;
    /** Do what the payout of a withdrawal waits for: `POST /api/v1/sandbox/withdrawals/{id}/resume`. */
    resumeWithdrawal(id: string, options?: CallOptions): Promise<Withdrawal>;
    /** Send assets of the simulated network to a user's wallet: `POST /api/v1/sandbox/faucet`. */
    dropCoins(input: SandboxDropCoinsInput, options?: CallOptions): Promise<SandboxDropCoinsResponse>;
    /** List the faults of the simulated systems: `GET /api/v1/sandbox/faults`. */
    listFaults(options?: CallOptions): Promise<SandboxFaults>;
    /** Let a simulated system fail: `POST /api/v1/sandbox/faults`. */
    addFault(input: SandboxAddFaultInput, options?: CallOptions): Promise<SandboxFaults>;
    /** Delete the faults of the simulated systems: `DELETE /api/v1/sandbox/faults`. */
    clearFaults(options?: CallOptions): Promise<SandboxFaults>;
  };
}

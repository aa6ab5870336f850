// Written by `npm run generate:sdk` from docs/generated/openapi.json. Do not edit.

export type ClientOptions = {
    baseUrl: `${string}://${string}` | (string & {});
};

export type Webhooks = UserCreatedWebhookRequest | UserLedgerLinkedWebhookRequest | UserPaymentAccountLinkedWebhookRequest | BalanceCreditedWebhookRequest | BalanceDebitedWebhookRequest | BalanceReservedWebhookRequest | BalanceReleasedWebhookRequest | OrderCreatedWebhookRequest | OrderFundsReservedWebhookRequest | OrderEscrowCreatingWebhookRequest | OrderEscrowFundingWebhookRequest | OrderEscrowFundedWebhookRequest | OrderInProgressWebhookRequest | OrderReleaseRequestedWebhookRequest | OrderReleasedWebhookRequest | OrderRefundRequestedWebhookRequest | OrderRefundedWebhookRequest | OrderDisputedWebhookRequest | OrderClosedWebhookRequest | OrderCanceledWebhookRequest | MilestoneReleasedWebhookRequest | MilestoneRefundedWebhookRequest | MilestoneSubmittedWebhookRequest | MilestoneChangesRequestedWebhookRequest | MilestoneReviewExtendedWebhookRequest | MilestoneReleaseDueSoonWebhookRequest | MilestoneDisputedWebhookRequest | DisputeOpenedWebhookRequest | DisputeUnderReviewWebhookRequest | DisputeResolvedWebhookRequest | DisputeEvidenceAddedWebhookRequest | DisputeDueSoonWebhookRequest | DisputeOverdueWebhookRequest | EscrowCreatedWebhookRequest | EscrowFundingStartedWebhookRequest | EscrowFundedWebhookRequest | EscrowMilestoneCompletedWebhookRequest | EscrowReleasedWebhookRequest | EscrowRefundedWebhookRequest | TopupCreatedWebhookRequest | TopupConfirmationRequiredWebhookRequest | TopupProcessingWebhookRequest | TopupSucceededWebhookRequest | TopupFailedWebhookRequest | TopupCanceledWebhookRequest | WithdrawalCreatedWebhookRequest | WithdrawalCommittedWebhookRequest | WithdrawalPendingWebhookRequest | WithdrawalPendingUserActionWebhookRequest | WithdrawalCompletedWebhookRequest | WithdrawalFailedWebhookRequest | WithdrawalCanceledWebhookRequest | WebhookEndpointFailingWebhookRequest | WebhookEndpointDisabledWebhookRequest;

export type PlatformConfig = {
    currencies: Array<'USD' | 'USDC' | 'XLM'>;
    /**
     * Currency code
     */
    baseCurrency: 'USD' | 'USDC' | 'XLM';
    /**
     * The currencies that an order may have: those that the escrow contracts can hold
     */
    escrowCurrencies: Array<'USD' | 'USDC' | 'XLM'>;
    limits: {
        topup: {
            /**
             * Decimal string with at least two decimal places
             */
            min: string;
            /**
             * Decimal string with at least two decimal places
             */
            max: string;
        };
        withdrawal: {
            /**
             * Decimal string with at least two decimal places
             */
            min: string;
            /**
             * Decimal string with at least two decimal places
             */
            max: string;
        };
        order: {
            /**
             * Decimal string with at least two decimal places
             */
            min: string;
            /**
             * Decimal string with at least two decimal places
             */
            max: string;
        };
    };
    /**
     * Default platform fee, as a percentage of the order amount
     */
    platformFeePercent: number;
    rateLimit: {
        /**
         * Requests allowed per window; 0 means unlimited
         */
        limit: number;
        /**
         * Length of the window in seconds
         */
        windowSeconds: number;
    };
    features: {
        users: boolean;
        balances: boolean;
        orders: boolean;
        wallets: boolean;
        payments: boolean;
        events: boolean;
    };
    providers: {
        /**
         * Which environment of the provider is connected
         */
        payment: 'none' | 'sandbox' | 'live';
        /**
         * Which environment of the provider is connected
         */
        escrow: 'none' | 'sandbox' | 'live';
        /**
         * Which environment of the provider is connected
         */
        ledgerNetwork: 'none' | 'sandbox' | 'live';
    };
    /**
     * Platform version
     */
    version: string;
};

export type Health = {
    status: 'healthy';
    /**
     * Platform version
     */
    version: string;
    /**
     * ISO 8601 timestamp in UTC with microseconds
     */
    timestamp: string;
};

export type DetailedHealth = {
    /**
     * `degraded`: an external provider is unhealthy; `unhealthy`: a dependency inside the platform is
     */
    status: 'healthy' | 'degraded' | 'unhealthy';
    /**
     * Platform version
     */
    version: string;
    /**
     * ISO 8601 timestamp in UTC with microseconds
     */
    timestamp: string;
    /**
     * Health of each dependency, by name
     */
    dependencies: {
        [key: string]: DependencyHealth;
    };
    /**
     * The emergency stop while it is on, and settings that do not fit the requests, such as TRUSTED_PROXY_HOPS
     */
    warnings: Array<string>;
};

export type DependencyHealth = {
    status: 'healthy' | 'degraded' | 'unhealthy';
    /**
     * Latency of the last probe in milliseconds
     */
    latencyMs: number;
    /**
     * Present unless `status` is `healthy`
     */
    error?: string;
};

export type Marketplace = {
    /**
     * Id with the prefix mkt_
     */
    id: string;
    /**
     * Display name
     */
    name: string;
    /**
     * How long the other side of a dispute can respond; null: no deadline
     */
    disputeResponsePeriod: string | null;
    /**
     * After how long an undecided dispute is overdue; null: never
     */
    disputeDecisionPeriod: string | null;
    /**
     * `opener`: who opened a dispute wins if the other side is silent
     */
    onNoResponse: 'none' | 'opener';
    /**
     * ISO 8601 timestamp in UTC with microseconds
     */
    createdAt: string;
};

export type TestClock = {
    /**
     * The time of the marketplace: reviews, delivery dates and disputes' deadlines end by it
     */
    now: string;
    /**
     * How far it is ahead of the real time
     */
    offsetSeconds: number;
};

export type NewApiKey = {
    /**
     * Id with the prefix key_
     */
    id: string;
    /**
     * Display name
     */
    name: string;
    scopes: Array<'read' | 'write' | 'support'>;
    /**
     * Id with the prefix mkt_
     */
    marketplaceId: string;
    /**
     * ISO 8601 timestamp in UTC with microseconds
     */
    createdAt: string;
    /**
     * Expiry time; null if it does not expire
     */
    expiresAt: string | null;
    /**
     * The API key. It is returned only once and cannot be retrieved later
     */
    key: string;
    /**
     * Same value as `key`
     */
    api_key: string;
};

export type ApiKey = {
    /**
     * Id with the prefix key_
     */
    id: string;
    /**
     * Display name
     */
    name: string;
    scopes: Array<'read' | 'write' | 'support'>;
    /**
     * Id with the prefix mkt_
     */
    marketplaceId: string;
    /**
     * ISO 8601 timestamp in UTC with microseconds
     */
    createdAt: string;
    /**
     * Expiry time; null if it does not expire
     */
    expiresAt: string | null;
    status: 'ACTIVE' | 'EXPIRED' | 'REVOKED';
    /**
     * Last use, accurate to a few seconds; null if it was never used
     */
    lastUsedAt: string | null;
};

export type RotatedApiKey = {
    /**
     * Id with the prefix key_
     */
    id: string;
    /**
     * Display name
     */
    name: string;
    scopes: Array<'read' | 'write' | 'support'>;
    /**
     * Id with the prefix mkt_
     */
    marketplaceId: string;
    /**
     * ISO 8601 timestamp in UTC with microseconds
     */
    createdAt: string;
    /**
     * Expiry time; null if it does not expire
     */
    expiresAt: string | null;
    /**
     * The API key. It is returned only once and cannot be retrieved later
     */
    key: string;
    /**
     * Same value as `key`
     */
    api_key: string;
    /**
     * Until when the previous key is still valid; null if it is already invalid
     */
    previousKeyValidUntil: string | null;
};

export type AccessToken = {
    /**
     * Access token; send it as a bearer token, like an API key
     */
    token: string;
    tokenType: 'Bearer';
    /**
     * Lifetime in seconds
     */
    expiresIn: number;
    /**
     * ISO 8601 timestamp in UTC with microseconds
     */
    expiresAt: string;
    scopes: Array<'read' | 'write' | 'support'>;
};

export type AuthContext = {
    /**
     * Credential type
     */
    type: 'master' | 'api_key' | 'token';
    /**
     * Null for the master key
     */
    apiKeyId: string | null;
    /**
     * Null for the master key
     */
    apiKeyName: string | null;
    scopes: Array<'read' | 'write' | 'support'>;
    /**
     * Id with the prefix mkt_
     */
    marketplaceId: string;
    /**
     * Display name of the marketplace
     */
    marketplaceName: string;
    /**
     * Expiry time; null if it does not expire
     */
    expiresAt: string | null;
};

export type User = {
    /**
     * Id with the prefix usr_
     */
    id: string;
    /**
     * Your own id for the user; unique within a marketplace
     */
    externalUserId: string;
    /**
     * E-mail address
     */
    email: string | null;
    /**
     * Roles that the user can take in an order
     */
    type: 'BUYER' | 'SELLER' | 'BOTH';
    /**
     * A `SUSPENDED` user cannot buy, sell, reserve funds, top up or withdraw; running operations are completed
     */
    status: 'ACTIVE' | 'SUSPENDED';
    /**
     * The user's id at the payment provider; null until linked
     */
    paymentAccountUserId: string | null;
    /**
     * Null until linked
     */
    paymentAccountLinkedAt: string | null;
    /**
     * Address on the ledger network; null until linked
     */
    ledgerAddress: string | null;
    /**
     * Null until linked
     */
    ledgerLinkedAt: string | null;
    /**
     * Your own data
     */
    metadata: {
        [key: string]: unknown;
    };
    balance: {
        /**
         * Decimal string with at least two decimal places
         */
        available: string;
        /**
         * Decimal string with at least two decimal places
         */
        reserved: string;
        /**
         * Decimal string with at least two decimal places
         */
        total: string;
        /**
         * Currency code
         */
        currency: 'USD' | 'USDC' | 'XLM';
    };
    /**
     * ISO 8601 timestamp in UTC with microseconds
     */
    createdAt: string;
    /**
     * ISO 8601 timestamp in UTC with microseconds
     */
    updatedAt: string;
};

export type PaymentAccountLink = {
    /**
     * Id with the prefix usr_
     */
    userId: string;
    /**
     * The user's id at the payment provider
     */
    paymentAccountUserId: string;
    /**
     * ISO 8601 timestamp in UTC with microseconds
     */
    linkedAt: string;
    /**
     * Whether the account can be used for top-ups and withdrawals
     */
    eligible: boolean;
    email: string | null;
};

export type Balance = {
    /**
     * Id with the prefix usr_
     */
    userId: string;
    /**
     * Decimal string with at least two decimal places
     */
    available: string;
    /**
     * Decimal string with at least two decimal places
     */
    reserved: string;
    /**
     * Decimal string with at least two decimal places
     */
    total: string;
    /**
     * Currency code
     */
    currency: 'USD' | 'USDC' | 'XLM';
    /**
     * ISO 8601 timestamp in UTC with microseconds
     */
    updatedAt: string;
};

export type BalanceAfterTransfer = {
    /**
     * Id with the prefix usr_
     */
    userId: string;
    /**
     * Decimal string with at least two decimal places
     */
    available: string;
    /**
     * Decimal string with at least two decimal places
     */
    reserved: string;
    /**
     * Decimal string with at least two decimal places
     */
    total: string;
    /**
     * Currency code
     */
    currency: 'USD' | 'USDC' | 'XLM';
    /**
     * ISO 8601 timestamp in UTC with microseconds
     */
    updatedAt: string;
    /**
     * Id with the prefix tr_
     */
    transferId: string;
};

export type BalanceSyncResult = {
    synced: boolean;
    previousBalance: Balance;
    currentBalance: Balance;
    discrepancyDetected: boolean;
    /**
     * Amount posted by this sync; null if there was no discrepancy
     */
    adjustment: string | null;
};

export type BalanceVerification = {
    isValid: boolean;
    offChainBalance: Balance;
    onChainBalance: {
        address: string;
        /**
         * Decimal string with at least two decimal places
         */
        balance: string;
        asset: string;
    };
    /**
     * On-chain balance minus the balance of the wallet in the ledger
     */
    difference: string;
};

export type BalanceTransaction = {
    /**
     * Id with the prefix tr_
     */
    id: string;
    type: 'CREDIT' | 'DEBIT' | 'RESERVE' | 'RELEASE' | 'DEDUCT' | 'RESTORE' | 'ESCROW_PAYOUT' | 'TOPUP' | 'DEPOSIT' | 'WITHDRAWAL' | 'RECONCILIATION';
    /**
     * Decimal string with at least two decimal places
     */
    amount: string;
    /**
     * `CREDIT`: added to the available balance; `DEBIT`: removed from it. If only the reserved balance changed, added to or removed from that
     */
    direction: 'CREDIT' | 'DEBIT';
    /**
     * Currency code
     */
    currency: 'USD' | 'USDC' | 'XLM';
    description: string | null;
    reference: string | null;
    orderId: string | null;
    /**
     * Signed change of the available balance; the changes of all transactions add up to the balance
     */
    availableChange: string;
    /**
     * Signed change of the reserved balance
     */
    reservedChange: string;
    /**
     * Available balance after the transaction
     */
    availableAfter: string;
    /**
     * Reserved balance after the transaction
     */
    reservedAfter: string;
    /**
     * The same as `availableAfter`
     */
    balanceAfter: string;
    /**
     * ISO 8601 timestamp in UTC with microseconds
     */
    createdAt: string;
};

export type Reservation = {
    /**
     * Id with the prefix res_
     */
    id: string;
    /**
     * What the amount is reserved for
     */
    kind: 'order' | 'manual' | 'withdrawal';
    /**
     * Null unless the kind is `order`
     */
    orderId: string | null;
    /**
     * What is still reserved
     */
    amount: string;
    /**
     * Currency code
     */
    currency: 'USD' | 'USDC' | 'XLM';
    /**
     * ISO 8601 timestamp in UTC with microseconds
     */
    createdAt: string;
};

export type Statement = {
    /**
     * Id with the prefix usr_
     */
    userId: string;
    /**
     * Currency code
     */
    currency: 'USD' | 'USDC' | 'XLM';
    /**
     * ISO 8601 timestamp in UTC with microseconds
     */
    from: string;
    /**
     * A time in the future is cut to now
     */
    to: string;
    /**
     * The balance at `from`
     */
    opening: {
        /**
         * Decimal string with at least two decimal places
         */
        available: string;
        /**
         * Decimal string with at least two decimal places
         */
        reserved: string;
    };
    /**
     * The balance at `to`
     */
    closing: {
        /**
         * Decimal string with at least two decimal places
         */
        available: string;
        /**
         * Decimal string with at least two decimal places
         */
        reserved: string;
    };
    /**
     * Of the whole period, on every page
     */
    totals: {
        /**
         * Sum of the lines above zero
         */
        in: string;
        /**
         * Sum of the lines below zero, without its sign
         */
        out: string;
        /**
         * What the platform kept of the payments to this user: information, no part of the sums
         */
        fees: string;
    };
    lines: Array<StatementLine>;
    /**
     * True: the period is over, and no line will be added to it
     */
    isComplete: boolean;
    /**
     * Whether there is a next page
     */
    hasMore: boolean;
    /**
     * Send it as `cursor` to get the next page; null on the last page
     */
    nextCursor: string | null;
};

export type StatementLine = {
    /**
     * ISO 8601 timestamp in UTC with microseconds
     */
    at: string;
    type: 'CREDIT' | 'DEBIT' | 'RESERVE' | 'RELEASE' | 'DEDUCT' | 'RESTORE' | 'ESCROW_PAYOUT' | 'TOPUP' | 'DEPOSIT' | 'WITHDRAWAL' | 'RECONCILIATION';
    /**
     * Signed change of available + reserved; zero where funds were only reserved or freed
     */
    amount: string;
    /**
     * Available balance after the line
     */
    available: string;
    /**
     * Reserved balance after the line
     */
    reserved: string;
    /**
     * Id with the prefix tr_
     */
    transferId: string;
    orderId: string | null;
    milestoneRef: string | null;
    topupId: string | null;
    withdrawalId: string | null;
    description: string;
};

export type Wallet = {
    /**
     * Address on the ledger network
     */
    publicKey: string;
    /**
     * `INVISIBLE`: the platform holds the key; `EXTERNAL`: the user holds the key
     */
    type: 'INVISIBLE' | 'EXTERNAL';
    /**
     * Who holds the key
     */
    provider: string;
    isPrimary: boolean;
    /**
     * Current balances on the ledger network
     */
    balances: Array<{
        /**
         * Asset code
         */
        asset: string;
        /**
         * Decimal string with at least two decimal places
         */
        balance: string;
    }>;
    /**
     * ISO 8601 timestamp in UTC with microseconds
     */
    createdAt: string;
};

export type DepositAddress = {
    /**
     * Deposit method
     */
    method: string;
    /**
     * Address on the ledger network
     */
    address: string;
    asset: {
        /**
         * Asset code
         */
        code: string;
        /**
         * Null for the native asset of the network
         */
        issuer: string | null;
    };
    /**
     * Ledger network of the address
     */
    network: string;
    /**
     * Currency of the balance that the deposit is credited to
     */
    creditedCurrency: 'USD' | 'USDC' | 'XLM';
    /**
     * Human-readable instructions; they name the balance that is credited
     */
    instructions: string;
};

export type WalletTransaction = {
    /**
     * Operation id on the ledger network
     */
    id: string;
    /**
     * Operation type
     */
    type: string;
    direction: 'IN' | 'OUT';
    /**
     * Address on the ledger network
     */
    from: string | null;
    /**
     * Address on the ledger network
     */
    to: string | null;
    /**
     * Decimal string with at least two decimal places
     */
    amount: string;
    /**
     * Asset code
     */
    asset: string;
    /**
     * Transaction hash
     */
    hash: string;
    successful: boolean;
    /**
     * ISO 8601 timestamp in UTC with microseconds
     */
    createdAt: string;
};

export type Order = {
    /**
     * Id with the prefix ord_
     */
    id: string;
    /**
     * Your own reference; unique within a marketplace
     */
    clientOrderRef: string | null;
    /**
     * Id with the prefix usr_
     */
    buyerId: string;
    /**
     * Id with the prefix usr_
     */
    sellerId: string;
    /**
     * Decimal string with at least two decimal places
     */
    amount: string;
    /**
     * Currency code
     */
    currency: 'USD' | 'USDC' | 'XLM';
    status: 'ORDER_CREATED' | 'FUNDS_RESERVED' | 'ESCROW_CREATING' | 'ESCROW_FUNDING' | 'IN_PROGRESS' | 'RELEASE_REQUESTED' | 'RELEASED' | 'REFUND_REQUESTED' | 'REFUNDED' | 'DISPUTED' | 'CLOSED';
    /**
     * Empty if there is none
     */
    title: string;
    description: string | null;
    metadata: {
        [key: string]: unknown;
    };
    /**
     * Platform fee of this order, as a percentage of the amount
     */
    platformFee: number;
    escrow: Escrow | null;
    /**
     * The latest dispute; null if there is none
     */
    dispute: Dispute | null;
    milestones: Array<Milestone>;
    /**
     * Null until the order is CLOSED
     */
    closeReason: 'RELEASED' | 'REFUNDED' | 'SPLIT' | 'CANCELED' | null;
    /**
     * What the platform is carrying out on the order; null at rest
     */
    operation: {
        name: 'reserve' | 'cancel' | 'create-escrow' | 'fund' | 'release' | 'refund' | 'resolve-dispute';
        /**
         * ISO 8601 timestamp in UTC with microseconds
         */
        startedAt: string;
    } | null;
    /**
     * What was paid into the escrow, and where it is: the other four add up to `funded`
     */
    amounts: {
        /**
         * Decimal string with at least two decimal places
         */
        funded: string;
        /**
         * Decimal string with at least two decimal places
         */
        released: string;
        /**
         * Decimal string with at least two decimal places
         */
        refunded: string;
        /**
         * Decimal string with at least two decimal places
         */
        disputed: string;
        /**
         * Decimal string with at least two decimal places
         */
        inEscrow: string;
    };
    /**
     * Whether it is paid out as a whole or milestone by milestone
     */
    releaseMode: 'order' | 'milestone';
    /**
     * How long a submitted milestone is reviewed; null: no automatic release
     */
    reviewPeriod: string | null;
    /**
     * ISO 8601 timestamp in UTC with microseconds
     */
    deliverBy: string | null;
    onNotDelivered: 'none' | 'refund';
    /**
     * ISO 8601 timestamp in UTC with microseconds
     */
    createdAt: string;
    /**
     * ISO 8601 timestamp in UTC with microseconds
     */
    updatedAt: string;
};

export type Escrow = {
    /**
     * Id with the prefix esc_
     */
    id: string;
    /**
     * Contract address; null until deployed
     */
    providerContractId: string | null;
    status: 'CREATING' | 'CREATED' | 'FUNDING' | 'FUNDED' | 'RELEASED' | 'REFUNDED' | 'DISPUTED';
    /**
     * Decimal string with at least two decimal places
     */
    amount: string;
    /**
     * Null if the order has no milestones
     */
    terms: {
        milestones_required: true;
    } | null;
    /**
     * Null until it has happened
     */
    fundedAt: string | null;
    /**
     * Null until it has happened
     */
    releasedAt: string | null;
    /**
     * Null until it has happened
     */
    refundedAt: string | null;
};

export type Dispute = {
    /**
     * Id with the prefix dsp_
     */
    id: string;
    /**
     * Id with the prefix ord_
     */
    orderId: string;
    openedBy: 'BUYER' | 'SELLER';
    reason: 'NOT_DELIVERED' | 'QUALITY_ISSUE' | 'OTHER';
    /**
     * References such as URLs; null if there are none
     */
    evidence: Array<string> | null;
    status: 'OPEN' | 'UNDER_REVIEW' | 'RESOLVED';
    /**
     * Null until assigned
     */
    assignedTo: string | null;
    /**
     * Null until resolved
     */
    resolutionDecision: 'FULL_RELEASE' | 'FULL_REFUND' | 'SPLIT' | null;
    /**
     * Null until resolved, or if there is no note
     */
    decisionNote: string | null;
    /**
     * Amount for the seller before the fee; null until resolved
     */
    releaseAmount: string | null;
    /**
     * Amount for the buyer; null until resolved
     */
    refundAmount: string | null;
    /**
     * Null until resolved
     */
    resolvedBy: string | null;
    /**
     * ISO 8601 timestamp in UTC with microseconds
     */
    createdAt: string;
    /**
     * Null until it has happened
     */
    resolvedAt: string | null;
    /**
     * The milestone that it is about; null for the whole order
     */
    milestoneRef: string | null;
    /**
     * Until when the other side can respond; null without a deadline
     */
    respondBy: string | null;
    /**
     * When it is overdue; null without a deadline
     */
    decideBy: string | null;
    /**
     * `opener`: the side that opened it wins if the other side has not responded in time
     */
    onNoResponse: 'none' | 'opener';
    /**
     * Evidence that was added later, oldest first
     */
    evidenceEntries: Array<DisputeEvidence>;
};

export type DisputeEvidence = {
    text: string | null;
    url: string | null;
    by: 'BUYER' | 'SELLER';
    /**
     * ISO 8601 timestamp in UTC with microseconds
     */
    at: string;
};

export type Milestone = {
    ref: string;
    title: string;
    /**
     * Decimal string with at least two decimal places
     */
    amount: string;
    status: 'OPEN' | 'SUBMITTED' | 'COMPLETED' | 'DISPUTED' | 'RELEASED' | 'REFUNDED' | 'SPLIT';
    /**
     * Null until it has happened
     */
    completedAt: string | null;
    /**
     * The last submission; null until it has happened
     */
    submittedAt: string | null;
    /**
     * When it is released unless a party objects; null without a running review
     */
    autoReleaseAt: string | null;
    /**
     * Null until it has happened
     */
    releasedAt: string | null;
    /**
     * Paid to the seller before the fee
     */
    releasedAmount: string;
    /**
     * Paid back to the buyer
     */
    refundedAmount: string;
    /**
     * The latest dispute about this milestone
     */
    disputeId: string | null;
    /**
     * What the platform is carrying out on the milestone; null at rest
     */
    operation: {
        name: 'release-milestone' | 'refund-milestone' | 'resolve-milestone-dispute';
        /**
         * ISO 8601 timestamp in UTC with microseconds
         */
        startedAt: string;
    } | null;
    /**
     * What was handed in with its submissions, oldest first
     */
    evidence: Array<Evidence>;
};

export type Evidence = {
    text?: string;
    url?: string;
    /**
     * ISO 8601 timestamp in UTC with microseconds
     */
    at: string;
    /**
     * Id of the credential that submitted it
     */
    by: string;
};

export type OrderWithMilestone = {
    /**
     * Id with the prefix ord_
     */
    id: string;
    /**
     * Your own reference; unique within a marketplace
     */
    clientOrderRef: string | null;
    /**
     * Id with the prefix usr_
     */
    buyerId: string;
    /**
     * Id with the prefix usr_
     */
    sellerId: string;
    /**
     * Decimal string with at least two decimal places
     */
    amount: string;
    /**
     * Currency code
     */
    currency: 'USD' | 'USDC' | 'XLM';
    status: 'ORDER_CREATED' | 'FUNDS_RESERVED' | 'ESCROW_CREATING' | 'ESCROW_FUNDING' | 'IN_PROGRESS' | 'RELEASE_REQUESTED' | 'RELEASED' | 'REFUND_REQUESTED' | 'REFUNDED' | 'DISPUTED' | 'CLOSED';
    /**
     * Empty if there is none
     */
    title: string;
    description: string | null;
    metadata: {
        [key: string]: unknown;
    };
    /**
     * Platform fee of this order, as a percentage of the amount
     */
    platformFee: number;
    escrow: Escrow | null;
    /**
     * The latest dispute; null if there is none
     */
    dispute: Dispute | null;
    milestones: Array<Milestone>;
    /**
     * Null until the order is CLOSED
     */
    closeReason: 'RELEASED' | 'REFUNDED' | 'SPLIT' | 'CANCELED' | null;
    /**
     * What the platform is carrying out on the order; null at rest
     */
    operation: {
        name: 'reserve' | 'cancel' | 'create-escrow' | 'fund' | 'release' | 'refund' | 'resolve-dispute';
        /**
         * ISO 8601 timestamp in UTC with microseconds
         */
        startedAt: string;
    } | null;
    /**
     * What was paid into the escrow, and where it is: the other four add up to `funded`
     */
    amounts: {
        /**
         * Decimal string with at least two decimal places
         */
        funded: string;
        /**
         * Decimal string with at least two decimal places
         */
        released: string;
        /**
         * Decimal string with at least two decimal places
         */
        refunded: string;
        /**
         * Decimal string with at least two decimal places
         */
        disputed: string;
        /**
         * Decimal string with at least two decimal places
         */
        inEscrow: string;
    };
    /**
     * Whether it is paid out as a whole or milestone by milestone
     */
    releaseMode: 'order' | 'milestone';
    /**
     * How long a submitted milestone is reviewed; null: no automatic release
     */
    reviewPeriod: string | null;
    /**
     * ISO 8601 timestamp in UTC with microseconds
     */
    deliverBy: string | null;
    onNotDelivered: 'none' | 'refund';
    /**
     * ISO 8601 timestamp in UTC with microseconds
     */
    createdAt: string;
    /**
     * ISO 8601 timestamp in UTC with microseconds
     */
    updatedAt: string;
    /**
     * The milestone of the request
     */
    milestone: Milestone;
};

export type OrderTransfer = {
    /**
     * Id with the prefix tr_
     */
    id: string;
    type: 'CREDIT' | 'DEBIT' | 'RESERVE' | 'RELEASE' | 'DEDUCT' | 'RESTORE' | 'ESCROW_PAYOUT' | 'TOPUP' | 'DEPOSIT' | 'WITHDRAWAL' | 'RECONCILIATION';
    orderId: string;
    milestoneRef: string | null;
    reference: string | null;
    description: string | null;
    /**
     * They add up to zero
     */
    legs: Array<{
        /**
         * `user:<id>:available`, `user:<id>:reserved`, `escrow:<order id>`, `platform:<name>`, or `external:<name>` for money from and to the outside
         */
        account: string;
        /**
         * Signed: above zero is added to the account
         */
        amount: string;
        /**
         * Currency code
         */
        currency: 'USD' | 'USDC' | 'XLM';
    }>;
    /**
     * ISO 8601 timestamp in UTC with microseconds
     */
    createdAt: string;
};

export type OrderTimeline = {
    /**
     * Id with the prefix ord_
     */
    orderId: string;
    /**
     * Oldest first
     */
    entries: Array<{
        kind: 'event';
        /**
         * The list is sorted by it
         */
        at: string;
        /**
         * Id with the prefix evt_
         */
        eventId: string;
        eventType: string;
        aggregateType: string;
        aggregateId: string;
    } | {
        kind: 'audit';
        /**
         * The list is sorted by it
         */
        at: string;
        /**
         * Id with the prefix aud_
         */
        auditId: string;
        action: string;
        actorType: string;
        actorId: string;
        result: 'SUCCESS' | 'FAILURE';
        reason: string | null;
    } | {
        kind: 'saga_step';
        /**
         * The list is sorted by it
         */
        at: string;
        /**
         * Id with the prefix run_
         */
        runId: string;
        /**
         * Name of the saga
         */
        saga: string;
        /**
         * Name of the step
         */
        step: string;
        /**
         * The service that carries it out
         */
        by: 'identity' | 'ledger-balance' | 'orders' | 'escrow-adapter' | 'payments' | 'notifications';
        /**
         * `current`: the run waits for it. `compensating`: it is being undone, because a later step has failed. `skipped`: the run has ended without it
         */
        state: 'pending' | 'current' | 'done' | 'failed' | 'compensating' | 'compensated' | 'skipped';
        /**
         * How often it was tried again
         */
        attempts: number;
        /**
         * Null if nothing is tried again
         */
        nextRetryAt: string | null;
        /**
         * Why it failed, or why nothing is tried again. Null otherwise
         */
        reason: {
            /**
             * A code of the error catalogue
             */
            code: 'VALIDATION_ERROR' | 'INVALID_AMOUNT' | 'INVALID_PUBLIC_KEY' | 'RESERVATION_EXCEEDED' | 'INVALID_RESERVED_DEDUCTION' | 'ESCROW_FUNDING_FAILED' | 'UNAUTHORIZED' | 'WEBHOOK_SIGNATURE_INVALID' | 'INSUFFICIENT_SCOPE' | 'NOT_FOUND' | 'USER_NOT_FOUND' | 'ORDER_NOT_FOUND' | 'PROJECT_NOT_FOUND' | 'ESCROW_NOT_FOUND' | 'DISPUTE_NOT_FOUND' | 'MILESTONE_NOT_FOUND' | 'TOPUP_NOT_FOUND' | 'WITHDRAWAL_NOT_FOUND' | 'MARKETPLACE_NOT_FOUND' | 'API_KEY_NOT_FOUND' | 'WALLET_NOT_FOUND' | 'CASE_NOT_FOUND' | 'WEBHOOK_ENDPOINT_NOT_FOUND' | 'WEBHOOK_DELIVERY_NOT_FOUND' | 'EVENT_NOT_FOUND' | 'RESERVATION_NOT_FOUND' | 'METHOD_NOT_ALLOWED' | 'INVALID_STATE' | 'DISPUTE_ALREADY_OPEN' | 'ESCROW_ALREADY_EXISTS' | 'IDEMPOTENCY_KEY_REUSED' | 'IDEMPOTENCY_KEY_IN_PROGRESS' | 'REFERENCE_EXISTS' | 'CLIENT_ORDER_REF_EXISTS' | 'PAYLOAD_TOO_LARGE' | 'UNSUPPORTED_MEDIA_TYPE' | 'INSUFFICIENT_FUNDS' | 'RESERVE_NOT_FOUND' | 'PAYMENT_ACCOUNT_NOT_LINKED' | 'PAYMENT_ACCOUNT_INVALID' | 'PAYMENT_REFUSED' | 'USER_NOT_ACTIVE' | 'LIMIT_EXCEEDED' | 'RATE_LIMITED' | 'HEADERS_TOO_LARGE' | 'INTERNAL_ERROR' | 'VERIFICATION_FAILED' | 'SERVICE_UNAVAILABLE' | 'PLATFORM_STOPPED' | 'PROVIDER_TIMEOUT' | null;
            message: string;
        } | null;
    } | {
        kind: 'network_transaction';
        /**
         * The list is sorted by it
         */
        at: string;
        /**
         * Id with the prefix run_
         */
        runId: string;
        /**
         * On the ledger network
         */
        hash: string;
        /**
         * What it does with the escrow contract
         */
        operation: string;
        /**
         * `DEAD`: no ledger can contain it any more. `MISMATCHED`: it moved something else than it must
         */
        state: 'OPEN' | 'LANDED' | 'FAILED' | 'DEAD' | 'MISMATCHED';
        /**
         * The ledger that contains it; null if none does
         */
        ledger: number | null;
    } | {
        kind: 'timer';
        /**
         * When it is due
         */
        at: string;
        /**
         * What happens if no party acts before
         */
        timer: string;
        milestoneRef: string | null;
        /**
         * Id with the prefix dsp_
         */
        disputeId: string | null;
        attempts: number;
        /**
         * Why it waits although it is due
         */
        heldReason: string | null;
    }>;
    /**
     * Whether there are older entries, which are left out
     */
    isTruncated: boolean;
    /**
     * The sagas that the order went through in the last 30 days, oldest first
     */
    runs: Array<{
        /**
         * Id with the prefix run_
         */
        runId: string;
        /**
         * Name of the saga
         */
        saga: string;
        state: 'RUNNING' | 'SUCCEEDED' | 'FAILED';
        /**
         * ISO 8601 timestamp in UTC with microseconds
         */
        startedAt: string;
        /**
         * ISO 8601 timestamp in UTC with microseconds
         */
        endedAt: string | null;
        /**
         * How often it was tried again
         */
        attempts: number;
        /**
         * Null if nothing is tried again
         */
        nextRetryAt: string | null;
        /**
         * Why it failed, or why nothing is tried again. Null otherwise
         */
        reason: {
            /**
             * A code of the error catalogue
             */
            code: 'VALIDATION_ERROR' | 'INVALID_AMOUNT' | 'INVALID_PUBLIC_KEY' | 'RESERVATION_EXCEEDED' | 'INVALID_RESERVED_DEDUCTION' | 'ESCROW_FUNDING_FAILED' | 'UNAUTHORIZED' | 'WEBHOOK_SIGNATURE_INVALID' | 'INSUFFICIENT_SCOPE' | 'NOT_FOUND' | 'USER_NOT_FOUND' | 'ORDER_NOT_FOUND' | 'PROJECT_NOT_FOUND' | 'ESCROW_NOT_FOUND' | 'DISPUTE_NOT_FOUND' | 'MILESTONE_NOT_FOUND' | 'TOPUP_NOT_FOUND' | 'WITHDRAWAL_NOT_FOUND' | 'MARKETPLACE_NOT_FOUND' | 'API_KEY_NOT_FOUND' | 'WALLET_NOT_FOUND' | 'CASE_NOT_FOUND' | 'WEBHOOK_ENDPOINT_NOT_FOUND' | 'WEBHOOK_DELIVERY_NOT_FOUND' | 'EVENT_NOT_FOUND' | 'RESERVATION_NOT_FOUND' | 'METHOD_NOT_ALLOWED' | 'INVALID_STATE' | 'DISPUTE_ALREADY_OPEN' | 'ESCROW_ALREADY_EXISTS' | 'IDEMPOTENCY_KEY_REUSED' | 'IDEMPOTENCY_KEY_IN_PROGRESS' | 'REFERENCE_EXISTS' | 'CLIENT_ORDER_REF_EXISTS' | 'PAYLOAD_TOO_LARGE' | 'UNSUPPORTED_MEDIA_TYPE' | 'INSUFFICIENT_FUNDS' | 'RESERVE_NOT_FOUND' | 'PAYMENT_ACCOUNT_NOT_LINKED' | 'PAYMENT_ACCOUNT_INVALID' | 'PAYMENT_REFUSED' | 'USER_NOT_ACTIVE' | 'LIMIT_EXCEEDED' | 'RATE_LIMITED' | 'HEADERS_TOO_LARGE' | 'INTERNAL_ERROR' | 'VERIFICATION_FAILED' | 'SERVICE_UNAVAILABLE' | 'PLATFORM_STOPPED' | 'PROVIDER_TIMEOUT' | null;
            message: string;
        } | null;
        /**
         * All steps that the saga declares, in their order
         */
        steps: Array<{
            /**
             * Name of the step
             */
            step: string;
            /**
             * The service that carries it out
             */
            by: 'identity' | 'ledger-balance' | 'orders' | 'escrow-adapter' | 'payments' | 'notifications';
            /**
             * What it does
             */
            does: string;
            /**
             * The earlier step that it undoes; null if it undoes none
             */
            compensates: string | null;
            /**
             * Whether a run that succeeds goes through it
             */
            isOnMainPath: boolean;
            /**
             * `current`: the run waits for it. `compensating`: it is being undone, because a later step has failed. `skipped`: the run has ended without it
             */
            state: 'pending' | 'current' | 'done' | 'failed' | 'compensating' | 'compensated' | 'skipped';
            /**
             * When it was done, or begun; null if that is not recorded
             */
            at: string | null;
            /**
             * How often it was tried again
             */
            attempts: number;
            /**
             * Null if nothing is tried again
             */
            nextRetryAt: string | null;
            /**
             * Why it failed, or why nothing is tried again. Null otherwise
             */
            reason: {
                /**
                 * A code of the error catalogue
                 */
                code: 'VALIDATION_ERROR' | 'INVALID_AMOUNT' | 'INVALID_PUBLIC_KEY' | 'RESERVATION_EXCEEDED' | 'INVALID_RESERVED_DEDUCTION' | 'ESCROW_FUNDING_FAILED' | 'UNAUTHORIZED' | 'WEBHOOK_SIGNATURE_INVALID' | 'INSUFFICIENT_SCOPE' | 'NOT_FOUND' | 'USER_NOT_FOUND' | 'ORDER_NOT_FOUND' | 'PROJECT_NOT_FOUND' | 'ESCROW_NOT_FOUND' | 'DISPUTE_NOT_FOUND' | 'MILESTONE_NOT_FOUND' | 'TOPUP_NOT_FOUND' | 'WITHDRAWAL_NOT_FOUND' | 'MARKETPLACE_NOT_FOUND' | 'API_KEY_NOT_FOUND' | 'WALLET_NOT_FOUND' | 'CASE_NOT_FOUND' | 'WEBHOOK_ENDPOINT_NOT_FOUND' | 'WEBHOOK_DELIVERY_NOT_FOUND' | 'EVENT_NOT_FOUND' | 'RESERVATION_NOT_FOUND' | 'METHOD_NOT_ALLOWED' | 'INVALID_STATE' | 'DISPUTE_ALREADY_OPEN' | 'ESCROW_ALREADY_EXISTS' | 'IDEMPOTENCY_KEY_REUSED' | 'IDEMPOTENCY_KEY_IN_PROGRESS' | 'REFERENCE_EXISTS' | 'CLIENT_ORDER_REF_EXISTS' | 'PAYLOAD_TOO_LARGE' | 'UNSUPPORTED_MEDIA_TYPE' | 'INSUFFICIENT_FUNDS' | 'RESERVE_NOT_FOUND' | 'PAYMENT_ACCOUNT_NOT_LINKED' | 'PAYMENT_ACCOUNT_INVALID' | 'PAYMENT_REFUSED' | 'USER_NOT_ACTIVE' | 'LIMIT_EXCEEDED' | 'RATE_LIMITED' | 'HEADERS_TOO_LARGE' | 'INTERNAL_ERROR' | 'VERIFICATION_FAILED' | 'SERVICE_UNAVAILABLE' | 'PLATFORM_STOPPED' | 'PROVIDER_TIMEOUT' | null;
                message: string;
            } | null;
        }>;
    }>;
    /**
     * Parts that could not be read just now
     */
    unavailable: Array<'events' | 'audit' | 'network'>;
};

export type OpenedDispute = {
    /**
     * Id with the prefix dsp_
     */
    id: string;
    /**
     * Id with the prefix ord_
     */
    orderId: string;
    openedBy: 'BUYER' | 'SELLER';
    reason: 'NOT_DELIVERED' | 'QUALITY_ISSUE' | 'OTHER';
    /**
     * References such as URLs; null if there are none
     */
    evidence: Array<string> | null;
    status: 'OPEN' | 'UNDER_REVIEW' | 'RESOLVED';
    /**
     * Null until assigned
     */
    assignedTo: string | null;
    /**
     * Null until resolved
     */
    resolutionDecision: 'FULL_RELEASE' | 'FULL_REFUND' | 'SPLIT' | null;
    /**
     * Null until resolved, or if there is no note
     */
    decisionNote: string | null;
    /**
     * Amount for the seller before the fee; null until resolved
     */
    releaseAmount: string | null;
    /**
     * Amount for the buyer; null until resolved
     */
    refundAmount: string | null;
    /**
     * Null until resolved
     */
    resolvedBy: string | null;
    /**
     * ISO 8601 timestamp in UTC with microseconds
     */
    createdAt: string;
    /**
     * Null until it has happened
     */
    resolvedAt: string | null;
    /**
     * The milestone that it is about; null for the whole order
     */
    milestoneRef: string | null;
    /**
     * Until when the other side can respond; null without a deadline
     */
    respondBy: string | null;
    /**
     * When it is overdue; null without a deadline
     */
    decideBy: string | null;
    /**
     * `opener`: the side that opened it wins if the other side has not responded in time
     */
    onNoResponse: 'none' | 'opener';
    /**
     * Evidence that was added later, oldest first
     */
    evidenceEntries: Array<DisputeEvidence>;
    /**
     * The order after the dispute was opened
     */
    order: Order;
};

export type ResolutionPreview = {
    /**
     * For the seller, before the fee
     */
    sellerAmount: string;
    /**
     * Decimal string with at least two decimal places
     */
    platformFee: string;
    /**
     * Credited to the seller
     */
    sellerNet: string;
    /**
     * Credited to the buyer
     */
    buyerAmount: string;
    /**
     * The escrow provider's fee, which the platform bears
     */
    providerCost: string;
};

export type DisputeComment = {
    /**
     * Id with the prefix cmt_
     */
    id: string;
    /**
     * Id with the prefix dsp_
     */
    disputeId: string;
    text: string;
    /**
     * The given author; otherwise the id of the API key, or `master`
     */
    author: string;
    /**
     * ISO 8601 timestamp in UTC with microseconds
     */
    createdAt: string;
};

export type TopUp = {
    /**
     * Id with the prefix topup_
     */
    id: string;
    /**
     * Id with the prefix usr_
     */
    userId: string;
    /**
     * Decimal string with at least two decimal places
     */
    amount: string;
    /**
     * Currency code
     */
    currency: 'USD' | 'USDC' | 'XLM';
    status: 'TOPUP_CREATED' | 'TOPUP_AWAITING_USER_CONFIRMATION' | 'TOPUP_PROCESSING' | 'TOPUP_SUCCEEDED' | 'TOPUP_FAILED' | 'TOPUP_CANCELED';
    description: string | null;
    /**
     * Id at the payment provider; null until assigned
     */
    providerPayinId: string | null;
    /**
     * Where the user confirms the payment; null if no confirmation is required
     */
    confirmationUri: string | null;
    /**
     * Deadline for the confirmation
     */
    expiresAt: string | null;
    /**
     * Null unless it failed
     */
    failureReason: string | null;
    /**
     * Error code of the provider; null if there is none
     */
    errorCode: string | null;
    metadata: {
        [key: string]: unknown;
    };
    /**
     * ISO 8601 timestamp in UTC with microseconds
     */
    createdAt: string;
    /**
     * ISO 8601 timestamp in UTC with microseconds
     */
    updatedAt: string;
};

export type Withdrawal = {
    /**
     * Id with the prefix wd_
     */
    id: string;
    /**
     * Id with the prefix usr_
     */
    userId: string;
    /**
     * Decimal string with at least two decimal places
     */
    amount: string;
    /**
     * Fee charged to the user
     */
    fee: string;
    /**
     * Currency code
     */
    currency: 'USD' | 'USDC' | 'XLM';
    status: 'WITHDRAWAL_CREATED' | 'WITHDRAWAL_COMMITTED' | 'WITHDRAWAL_PENDING' | 'WITHDRAWAL_PENDING_USER_ACTION' | 'WITHDRAWAL_COMPLETED' | 'WITHDRAWAL_FAILED' | 'WITHDRAWAL_CANCELED';
    destinationType: 'bank' | 'ledger' | 'payment_account';
    /**
     * Account or address that receives the money
     */
    destinationRef: string;
    description: string | null;
    /**
     * Id at the payment provider; null until assigned
     */
    providerPayoutId: string | null;
    /**
     * Null unless it failed
     */
    failureReason: string | null;
    /**
     * Error code of the provider; null if there is none
     */
    errorCode: string | null;
    /**
     * ISO 8601 timestamp in UTC with microseconds
     */
    createdAt: string;
    /**
     * ISO 8601 timestamp in UTC with microseconds
     */
    updatedAt: string;
    /**
     * Null until the status is WITHDRAWAL_COMPLETED
     */
    completedAt: string | null;
};

export type ReconciliationCase = {
    /**
     * Id with the prefix rcc_
     */
    id: string;
    /**
     * Why the case was opened
     */
    kind: 'late_money' | 'amount_mismatch' | 'unexplained_difference' | 'unknown_deposit' | 'unconfirmed_deposit' | 'unconfirmed_payment' | 'unknown_outflow' | 'quarantined_record';
    status: 'OPEN' | 'PENDING_APPROVAL' | 'RESOLVED';
    /**
     * Owner of the money; null if unknown
     */
    userId: string | null;
    /**
     * Negative if more left than was booked; 0.00 for a quarantined record, whose amount is unknown
     */
    amount: string;
    /**
     * Currency code
     */
    currency: 'USD' | 'USDC' | 'XLM';
    /**
     * Where the difference was found
     */
    source: string;
    /**
     * Id at the source
     */
    sourceId: string;
    /**
     * One sentence for people
     */
    reason: string;
    /**
     * Related top-up or withdrawal
     */
    relatedId: string | null;
    /**
     * Of a case about a restored backup: what left in the meantime, and nothing here explains
     */
    outflows?: Array<{
        /**
         * Transaction and number of the outflow in it
         */
        sourceId: string;
        place: 'treasury' | 'platform' | 'wallet';
        /**
         * The owner of the wallet; null for an account of the platform itself
         */
        userId: string | null;
        /**
         * Decimal string with at least two decimal places
         */
        amount: string;
        /**
         * The receiver; null if there is none, or more than one
         */
        to: string | null;
    }>;
    /**
     * ISO 8601 timestamp in UTC with microseconds
     */
    foundAt: string;
    /**
     * Null until a person has decided, and if the difference has vanished by itself
     */
    resolution: {
        action: 'credit' | 'return' | 'write_off';
        /**
         * Explanation
         */
        note: string;
        /**
         * Credential that decided
         */
        requestedBy: string;
        /**
         * Second credential; null if none is needed or it is awaited
         */
        approvedBy: string | null;
        /**
         * Null until the case is RESOLVED
         */
        resolvedAt: string | null;
    } | null;
};

export type ReconciliationReport = {
    /**
     * Id with the prefix rcr_
     */
    id: string;
    /**
     * ISO 8601 timestamp in UTC with microseconds
     */
    at: string;
    /**
     * The ledger of the network at which accounts were compared; null if none were
     */
    ledger: number | null;
    /**
     * Currency code
     */
    currency: 'USD' | 'USDC' | 'XLM';
    /**
     * What the journal says is outside: at the payment provider and on the ledger network
     */
    journal: string | null;
    /**
     * Received minus paid out, according to the payment provider
     */
    paymentProvider: string | null;
    /**
     * Holdings of wallets and contracts on the ledger network, as far as they were compared
     */
    ledgerNetwork: string | null;
    /**
     * `paymentProvider` plus `ledgerNetwork` minus `journal`
     */
    difference: string | null;
    /**
     * What the platform owes: available and reserved balances of users, escrow, and the money of open cases. USD and USDC are backed by USDC, so both reports have the same figures
     */
    liabilities: string | null;
    /**
     * What the platform has: on the ledger network, and at the payment provider
     */
    assets: string | null;
    /**
     * `assets` minus `liabilities`
     */
    solvency: string | null;
    /**
     * What the platform itself should have, from the journal alone: capital and fees, minus the costs of providers and network, and what was written off or credited by hand
     */
    ownMoney: string | null;
    /**
     * `solvency` minus `ownMoney`; it must be zero
     */
    unexplained: string | null;
    /**
     * What moves at the moment. It is left out of liabilities and assets, or counts as explained
     */
    inFlight: Array<{
        kind: 'payout' | 'withdrawal' | 'deposit' | 'case';
        /**
         * Null for a sum of many
         */
        id: string | null;
        /**
         * Decimal string with at least two decimal places
         */
        amount: string;
    }>;
    /**
     * What could not be read. The amounts that need it are null; the other currencies are reported.
     */
    unavailable: Array<'journal' | 'paymentProvider' | 'ledgerNetwork'>;
    /**
     * Unresolved cases in this currency
     */
    openCases: number;
};

export type Event = {
    /**
     * Id with the prefix evt_
     */
    eventId: string;
    /**
     * For example `order.closed`
     */
    eventType: string;
    /**
     * When it happened; also the id of the server-sent event and the cursor to resume from
     */
    occurredAt: string;
    /**
     * Id of the resource
     */
    aggregateId: string;
    /**
     * Type of the resource
     */
    aggregateType: string;
    /**
     * Depends on `eventType`
     */
    payload: {
        [key: string]: unknown;
    };
    /**
     * Additional keys may be added
     */
    metadata: {
        correlationId?: string;
        /**
         * The event that led to this one; null if a request did
         */
        causationId: string | null;
        userId?: string;
        marketplaceId?: string;
        producedAt?: string;
        /**
         * Counts the events of the resource: 1, 2, 3 … in the order of the stream, the same in webhooks and in every replay. 0 in test events
         */
        aggregateVersion: number;
        [key: string]: unknown;
    };
};

export type WebhookEndpointWithSecret = {
    /**
     * Id with the prefix whk_
     */
    id: string;
    url: string;
    /**
     * Empty: all
     */
    types: Array<string>;
    description: string | null;
    ordering: 'aggregate' | 'none';
    status: 'ENABLED' | 'DISABLED';
    /**
     * Since when every attempt has failed; set after 24 hours. After 5 days the endpoint is disabled
     */
    failingSince: string | null;
    /**
     * ISO 8601 timestamp in UTC with microseconds
     */
    disabledAt: string | null;
    /**
     * `GONE`: the endpoint has responded with 410
     */
    disabledReason: 'BY_HAND' | 'GONE' | 'FAILING' | null;
    /**
     * ISO 8601 timestamp in UTC with microseconds
     */
    createdAt: string;
    /**
     * ISO 8601 timestamp in UTC with microseconds
     */
    updatedAt: string;
    /**
     * `whsec_` and 32 bytes in base64. Shown only here; keep it to verify signatures
     */
    secret: string;
};

export type WebhookEndpoint = {
    /**
     * Id with the prefix whk_
     */
    id: string;
    url: string;
    /**
     * Empty: all
     */
    types: Array<string>;
    description: string | null;
    ordering: 'aggregate' | 'none';
    status: 'ENABLED' | 'DISABLED';
    /**
     * Since when every attempt has failed; set after 24 hours. After 5 days the endpoint is disabled
     */
    failingSince: string | null;
    /**
     * ISO 8601 timestamp in UTC with microseconds
     */
    disabledAt: string | null;
    /**
     * `GONE`: the endpoint has responded with 410
     */
    disabledReason: 'BY_HAND' | 'GONE' | 'FAILING' | null;
    /**
     * ISO 8601 timestamp in UTC with microseconds
     */
    createdAt: string;
    /**
     * ISO 8601 timestamp in UTC with microseconds
     */
    updatedAt: string;
};

export type WebhookDelivery = {
    /**
     * Id with the prefix whd_
     */
    id: string;
    /**
     * Id with the prefix whk_
     */
    endpointId: string;
    /**
     * The `webhook-id` of every attempt
     */
    eventId: string;
    eventType: string;
    /**
     * Id of the resource of the event
     */
    aggregateId: string;
    /**
     * `EXHAUSTED`: all attempts have failed. `CANCELED`: the endpoint was disabled or deleted, or the event is older than the history
     */
    status: 'PENDING' | 'RETRYING' | 'DELIVERED' | 'EXHAUSTED' | 'CANCELED';
    attempts: number;
    /**
     * Null if there is none, or while an earlier event of the same resource is not delivered
     */
    nextAttemptAt: string | null;
    /**
     * ISO 8601 timestamp in UTC with microseconds
     */
    deliveredAt: string | null;
    /**
     * ISO 8601 timestamp in UTC with microseconds
     */
    createdAt: string;
};

export type WebhookDeliveryWithLog = {
    /**
     * Id with the prefix whd_
     */
    id: string;
    /**
     * Id with the prefix whk_
     */
    endpointId: string;
    /**
     * The `webhook-id` of every attempt
     */
    eventId: string;
    eventType: string;
    /**
     * Id of the resource of the event
     */
    aggregateId: string;
    /**
     * `EXHAUSTED`: all attempts have failed. `CANCELED`: the endpoint was disabled or deleted, or the event is older than the history
     */
    status: 'PENDING' | 'RETRYING' | 'DELIVERED' | 'EXHAUSTED' | 'CANCELED';
    attempts: number;
    /**
     * Null if there is none, or while an earlier event of the same resource is not delivered
     */
    nextAttemptAt: string | null;
    /**
     * ISO 8601 timestamp in UTC with microseconds
     */
    deliveredAt: string | null;
    /**
     * ISO 8601 timestamp in UTC with microseconds
     */
    createdAt: string;
    attemptLog: Array<{
        /**
         * ISO 8601 timestamp in UTC with microseconds
         */
        at: string;
        durationMs: number;
        /**
         * Status of the response; null if there was none
         */
        status: number | null;
        /**
         * Null if it was delivered. `STATUS`: any status but 2xx, redirects included
         */
        error: 'DNS' | 'BLOCKED_ADDRESS' | 'CONNECT' | 'TLS' | 'TIMEOUT' | 'STATUS' | 'RESPONSE' | null;
        /**
         * The first 4 KiB
         */
        responseBody: string;
    }>;
};

export type AuditEntry = {
    /**
     * Id with the prefix aud_
     */
    id: string;
    /**
     * ISO 8601 timestamp in UTC with microseconds
     */
    occurredAt: string;
    /**
     * New state of the resource, or operation
     */
    action: string;
    resourceType: string;
    resourceId: string;
    /**
     * Ids of further resources that the entry is about
     */
    relatedIds: Array<string>;
    actorType: string;
    actorId: string;
    result: 'SUCCESS' | 'FAILURE';
    reason: string | null;
    before: {
        [key: string]: unknown;
    } | null;
    after: {
        [key: string]: unknown;
    } | null;
    requestId: string | null;
    /**
     * Id with the prefix mkt_
     */
    marketplaceId: string;
};

export type AuditProof = {
    /**
     * Whether every entry is unmodified
     */
    isSound: boolean;
    /**
     * Number of unmodified entries, counted from the first
     */
    entries: string;
    /**
     * Number of signed batches
     */
    batches: string;
    /**
     * ISO 8601 timestamp in UTC with microseconds
     */
    checkedAt: string;
    /**
     * Hash of the last unmodified entry. Keep it to detect a truncated log later
     */
    lastHash: string;
    firstBreak: {
        /**
         * Null if the entry is missing
         */
        entryId: string | null;
        position: string;
        batch: string;
        fault: 'altered' | 'missing' | 'unsealed' | 'seal broken';
    } | null;
};

export type Summary = {
    /**
     * Orders by status
     */
    orders: {
        ORDER_CREATED: number;
        FUNDS_RESERVED: number;
        ESCROW_CREATING: number;
        ESCROW_FUNDING: number;
        IN_PROGRESS: number;
        RELEASE_REQUESTED: number;
        RELEASED: number;
        REFUND_REQUESTED: number;
        REFUNDED: number;
        DISPUTED: number;
        CLOSED: number;
    };
    /**
     * Orders that were created in the period and their amounts, by day and currency; days without orders are left out
     */
    volume: Array<{
        /**
         * In UTC
         */
        date: string;
        /**
         * Currency code
         */
        currency: 'USD' | 'USDC' | 'XLM';
        orders: number;
        /**
         * Decimal string with at least two decimal places
         */
        amount: string;
    }>;
    /**
     * In escrow, by currency
     */
    escrow: Array<{
        /**
         * Currency code
         */
        currency: 'USD' | 'USDC' | 'XLM';
        /**
         * Decimal string with at least two decimal places
         */
        amount: string;
    }>;
    /**
     * Available balances of all users, by currency
     */
    available: Array<{
        /**
         * Currency code
         */
        currency: 'USD' | 'USDC' | 'XLM';
        /**
         * Decimal string with at least two decimal places
         */
        amount: string;
    }>;
    /**
     * Reserved balances of all users, by currency
     */
    reserved: Array<{
        /**
         * Currency code
         */
        currency: 'USD' | 'USDC' | 'XLM';
        /**
         * Decimal string with at least two decimal places
         */
        amount: string;
    }>;
    disputes: {
        /**
         * Not resolved
         */
        open: number;
        /**
         * Not resolved, and past their deadline for a decision
         */
        overdue: number;
    };
    /**
     * Webhook endpoints whose attempts have all failed for a day or longer
     */
    failingEndpoints: number;
    /**
     * Begin of the period: midnight in UTC
     */
    from: string;
    /**
     * End of the period, exclusive: midnight in UTC
     */
    to: string;
    /**
     * Null: everything is counted. Else only events from then on are, because older ones had left the history when the platform began to count; orders by status are always complete
     */
    countedSince: string | null;
    /**
     * Everything that happened before is counted
     */
    asOf: string;
};

export type NewAccount = {
    /**
     * Id with the prefix usr_
     */
    id: string;
    /**
     * E-mail address, in lower case
     */
    email: string;
    /**
     * Display name
     */
    name: string;
    /**
     * Send it as `Authorization: Bearer <token>`
     */
    token: string;
};

export type LoggedIn = {
    /**
     * Send it as `Authorization: Bearer <token>`
     */
    token: string;
    user: AccountUser;
};

export type AccountUser = {
    /**
     * Id with the prefix usr_
     */
    id: string;
    /**
     * E-mail address, in lower case
     */
    email: string;
    /**
     * Display name
     */
    name: string;
};

export type AccountBalances = {
    balances: Array<BalanceEntry>;
};

export type BalanceEntry = {
    /**
     * Currency code
     */
    currency: 'USD' | 'XLM' | 'USDC';
    /**
     * Amount
     */
    available: number;
    /**
     * Amount
     */
    held: number;
};

export type AccountTransactions = {
    transactions: Array<AccountTransaction>;
    pagination: Pagination;
    /**
     * Send it with the other pages
     */
    as_of: string;
};

export type AccountTransaction = {
    /**
     * Id with the prefix txn_
     */
    id: string;
    /**
     * Whether the balance grew or shrank
     */
    type: 'credit' | 'debit';
    /**
     * Amount
     */
    amount: number;
    /**
     * Currency code
     */
    currency: 'USD' | 'XLM' | 'USDC';
    /**
     * What the transaction was for
     */
    description: string;
    /**
     * ISO 8601 timestamp in UTC with microseconds
     */
    created_at: string;
};

export type Pagination = {
    page: number;
    limit: number;
    total: number;
    pages: number;
};

export type WalletLink = {
    /**
     * Id with the prefix wal_
     */
    wallet_id: string;
    /**
     * Public key of an account on the ledger network
     */
    public_key: string;
    /**
     * ISO 8601 timestamp in UTC with microseconds
     */
    connected_at: string;
};

export type Projects = {
    projects: Array<Project>;
    pagination: Pagination;
};

export type Project = {
    /**
     * Id with the prefix prj_
     */
    id: string;
    title: string;
    description: string;
    /**
     * Amount
     */
    budget: number;
    /**
     * Currency code
     */
    currency: 'USD' | 'XLM' | 'USDC';
    /**
     * `in_progress` while its escrow holds the money, `completed` once it was released; after a refund it is `open` again
     */
    status: 'open' | 'in_progress' | 'completed' | 'canceled';
    /**
     * ISO 8601 timestamp in UTC with microseconds
     */
    created_at: string;
};

export type AccountEscrow = {
    /**
     * Id with the prefix esc_
     */
    escrow_id: string;
    /**
     * Id with the prefix prj_
     */
    project_id: string;
    /**
     * Id with the prefix usr_
     */
    buyer_id: string;
    /**
     * Id with the prefix usr_
     */
    seller_id: string;
    /**
     * Amount
     */
    amount: number;
    /**
     * Currency code
     */
    currency: 'USD' | 'XLM' | 'USDC';
    /**
     * `funded` while the contract holds the money, `released` once it was paid out
     */
    status: 'funded' | 'released';
    /**
     * ISO 8601 timestamp in UTC with microseconds
     */
    created_at: string;
    /**
     * What was paid out; after a release only
     */
    released_amount?: number;
    /**
     * After a release only
     */
    released_at?: string;
};

export type ReleasedEscrow = {
    /**
     * Id with the prefix esc_
     */
    escrow_id: string;
    status: 'released';
    /**
     * Amount
     */
    released_amount: number;
    /**
     * ISO 8601 timestamp in UTC with microseconds
     */
    released_at: string;
};

export type SagaRunPage = {
    runs: Array<SagaRun>;
    /**
     * Services that did not respond in time: what they know is missing
     */
    unavailable: Array<'identity' | 'ledger-balance' | 'orders' | 'escrow-adapter' | 'payments' | 'notifications'>;
    hasMore: boolean;
    /**
     * The `cursor` of the next page; null on the last one
     */
    nextCursor: string | null;
};

export type SagaRun = {
    /**
     * Id with the prefix run_
     */
    id: string;
    /**
     * Which service drives the run
     */
    service: 'orders' | 'payments';
    saga: string;
    /**
     * Order, top-up, withdrawal or reconciliation case
     */
    aggregateId: string;
    /**
     * Id with the prefix mkt_
     */
    marketplaceId: string;
    /**
     * `RETRYING`: its command was resent. `OVERDUE`: past its deadline. `CONTRADICTED`: no retry helps, a person must look
     */
    state: 'RUNNING' | 'RETRYING' | 'OVERDUE' | 'CONTRADICTED' | 'SUCCEEDED' | 'FAILED';
    /**
     * Status of the order; null for other aggregates
     */
    aggregateStatus: string | null;
    /**
     * In a sequence of sagas, the run of the current saga
     */
    currentRunId: string | null;
    /**
     * No step will be compensated any more
     */
    isPastPointOfNoReturn: boolean;
    /**
     * How often its command was resent
     */
    attempts: number;
    /**
     * Null if the retries were stopped, or the run has ended
     */
    nextRetryAt: string | null;
    /**
     * Why no retry helps
     */
    retryStoppedReason: string | null;
    /**
     * ISO 8601 timestamp in UTC with microseconds
     */
    begunAt: string;
    /**
     * Time since it began, or how long it has taken, in milliseconds
     */
    ageMs: number;
    /**
     * Null while the run is open
     */
    endedAt: string | null;
};

export type ParkedMessages = {
    /**
     * Oldest first, at most 200 of each service, without their content
     */
    messages: Array<ParkedMessage>;
    /**
     * How many are parked, by service
     */
    counts: {
        [key: string]: number;
    };
    /**
     * Services that did not respond in time: what they know is missing
     */
    unavailable: Array<'identity' | 'ledger-balance' | 'orders' | 'escrow-adapter' | 'payments' | 'notifications'>;
};

export type ParkedMessage = {
    /**
     * Service of the platform
     */
    service: 'identity' | 'ledger-balance' | 'orders' | 'escrow-adapter' | 'payments' | 'notifications';
    messageId: string;
    type: string;
    /**
     * Failures of its handler
     */
    attempts: number;
    /**
     * `FAILED`: every attempt has failed. `NOT_RETRYABLE`: the handler refuses it. `UNKNOWN_VERSION`: no process knows its version. The log of the service has the error
     */
    reason: 'FAILED' | 'NOT_RETRYABLE' | 'UNKNOWN_VERSION';
    /**
     * ISO 8601 timestamp in UTC with microseconds
     */
    parkedAt: string;
    /**
     * When an operator has sent it back; null if no operator has since it was parked
     */
    redrivenAt: string | null;
};

export type RedrivenMessages = {
    /**
     * Service of the platform
     */
    service: 'identity' | 'ledger-balance' | 'orders' | 'escrow-adapter' | 'payments' | 'notifications';
    /**
     * How many were sent back
     */
    redriven: number;
};

export type ProviderControls = {
    /**
     * Null while identity does not respond
     */
    emergencyStop: EmergencyStop | null;
    services: Array<{
        service: 'orders' | 'escrow-adapter' | 'payments';
        /**
         * The emergency stop, as this service knows it
         */
        isStopped: boolean;
        providers: Array<{
            name: string;
            kind: 'sandbox' | 'live';
            health: DependencyHealth;
            /**
             * Circuit breaker of the replica that responds; null where calls have none
             */
            breaker: 'closed' | 'half-open' | 'open' | null;
            /**
             * Null without a limit
             */
            budget: {
                /**
                 * Calls within one window
                 */
                callsMax: number;
                windowMs: number;
                /**
                 * As far as the replica that responds knows
                 */
                callsLeft: number;
            } | null;
        }>;
        caps: Array<{
            name: string;
            /**
             * What may be spent within an hour; null without a cap
             */
            max: string | null;
            /**
             * What was spent within the last hour; 0.00 without a cap
             */
            spent: string;
        }>;
    }>;
    /**
     * Services that did not respond in time: what they know is missing
     */
    unavailable: Array<'identity' | 'ledger-balance' | 'orders' | 'escrow-adapter' | 'payments' | 'notifications'>;
};

export type EmergencyStop = {
    /**
     * Nothing is signed and no payout is requested
     */
    isStopped: boolean;
    /**
     * The setting EMERGENCY_STOP of identity, which every service should share; it outlasts a resume
     */
    isStoppedBySetting: boolean;
    /**
     * Null if the platform was never stopped
     */
    changedAt: string | null;
    changedBy: string | null;
    reason: string | null;
};

export type Treasury = {
    address: string;
    /**
     * Account that receives the fees
     */
    platformAddress: string;
    /**
     * When the replica that responds last read the balances; null if it has not yet
     */
    readAt: string | null;
    /**
     * What the treasury and its channels hold together
     */
    holdings: Array<{
        asset: 'USDC' | 'XLM';
        /**
         * Decimal string with at least two decimal places
         */
        amount: string;
    }>;
    channels: Array<{
        address: string;
        /**
         * Empty while the channel has no account
         */
        holdings: Array<{
            asset: 'USDC' | 'XLM';
            /**
             * Decimal string with at least two decimal places
             */
            amount: string;
        }>;
    }>;
    /**
     * Below this amount of USDC the treasury is low
     */
    lowBelow: string;
    /**
     * Null if the balances were not read yet
     */
    isLow: boolean | null;
    caps: Array<{
        name: string;
        /**
         * What may be spent within an hour; null without a cap
         */
        max: string | null;
        /**
         * What was spent within the last hour; 0.00 without a cap
         */
        spent: string;
    }>;
    /**
     * Transaction of the treasury that is not decided yet
     */
    openTransaction: {
        hash: string;
        purpose: string;
        /**
         * ISO 8601 timestamp in UTC with microseconds
         */
        validUntil: string;
    } | null;
    /**
     * Wallets that wait for their activation, up to 1,000
     */
    walletsWaiting: number;
};

export type LedgerProof = {
    /**
     * The books hold every rule, and no report has a difference or anything unexplained; null while something is missing that would prove it
     */
    isSound: boolean | null;
    /**
     * Null before the first check of the replica that responds
     */
    ledger: {
        /**
         * ISO 8601 timestamp in UTC with microseconds
         */
        checkedAt: string;
        /**
         * Every rule of the books holds
         */
        isSound: boolean;
        transfers: number;
        accounts: number;
        /**
         * At most 100 of each rule
         */
        discrepancies: Array<{
            rule: string;
            subject: string;
            expected: string;
            found: string;
        }>;
        /**
         * Totals of the journal
         */
        books: Array<{
            book: string;
            /**
             * Currency code
             */
            currency: 'USD' | 'USDC' | 'XLM';
            /**
             * Decimal string with at least two decimal places
             */
            amount: string;
        }>;
    } | null;
    /**
     * The newest reconciliation report of each currency: solvency, custody on the ledger network, and differences
     */
    reports: Array<ReconciliationReport>;
    /**
     * Services that did not respond in time: what they know is missing
     */
    unavailable: Array<'identity' | 'ledger-balance' | 'orders' | 'escrow-adapter' | 'payments' | 'notifications'>;
};

export type SandboxFaults = {
    faults: Array<{
        id: string;
        target: string;
        /**
         * Null: every operation
         */
        operation: string | null;
        kind: string;
        /**
         * Null: until it is deleted
         */
        times: number | null;
        /**
         * How often it has struck
         */
        strikes: number;
    }>;
};

export type PlatformGetConfigData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/v1/config';
};

export type PlatformGetConfigResponses = {
    /**
     * The record
     */
    200: PlatformConfig;
};

export type PlatformGetConfigResponse = PlatformGetConfigResponses[keyof PlatformGetConfigResponses];

export type PlatformGetHealthData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/v1/health';
};

export type PlatformGetHealthResponses = {
    /**
     * The record
     */
    200: Health;
};

export type PlatformGetHealthResponse = PlatformGetHealthResponses[keyof PlatformGetHealthResponses];

export type PlatformGetDetailedHealthData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/v1/health/detailed';
};

export type PlatformGetDetailedHealthResponses = {
    /**
     * The record
     */
    200: DetailedHealth;
};

export type PlatformGetDetailedHealthResponse = PlatformGetDetailedHealthResponses[keyof PlatformGetDetailedHealthResponses];

export type MarketplacesListData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Page size
         */
        limit?: number;
        /**
         * `nextCursor` of the previous page
         */
        cursor?: string;
        /**
         * Items created after this time
         */
        createdAfter?: string;
        /**
         * Items created before this time
         */
        createdBefore?: string;
    };
    url: '/api/v1/marketplaces';
};

export type MarketplacesListResponses = {
    /**
     * The record
     */
    200: Marketplace;
};

export type MarketplacesListResponse = MarketplacesListResponses[keyof MarketplacesListResponses];

export type MarketplacesCreateData = {
    body: {
        /**
         * Display name
         */
        name: string;
    };
    path?: never;
    query?: never;
    url: '/api/v1/marketplaces';
};

export type MarketplacesCreateResponses = {
    /**
     * The record
     */
    200: Marketplace;
};

export type MarketplacesCreateResponse = MarketplacesCreateResponses[keyof MarketplacesCreateResponses];

export type MarketplacesUpdateData = {
    body?: {
        /**
         * Display name
         */
        name?: string;
        /**
         * ISO 8601 duration of weeks, days, hours, minutes and seconds, from PT1S to P90D
         */
        disputeResponsePeriod?: string | null;
        /**
         * ISO 8601 duration of weeks, days, hours, minutes and seconds, from PT1S to P90D
         */
        disputeDecisionPeriod?: string | null;
        onNoResponse?: 'none' | 'opener';
    };
    path: {
        /**
         * Id with the prefix mkt_
         */
        id: string;
    };
    query?: never;
    url: '/api/v1/marketplaces/{id}';
};

export type MarketplacesUpdateResponses = {
    /**
     * The record
     */
    200: Marketplace;
};

export type MarketplacesUpdateResponse = MarketplacesUpdateResponses[keyof MarketplacesUpdateResponses];

export type TestClockGetData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/v1/test-clock';
};

export type TestClockGetResponses = {
    /**
     * The record
     */
    200: TestClock;
};

export type TestClockGetResponse = TestClockGetResponses[keyof TestClockGetResponses];

export type TestClockAdvanceData = {
    body: {
        /**
         * ISO 8601 duration of weeks, days, hours, minutes and seconds, at least PT1S
         */
        by: string;
    };
    path?: never;
    query?: never;
    url: '/api/v1/test-clock/advance';
};

export type TestClockAdvanceResponses = {
    /**
     * The record
     */
    200: TestClock;
};

export type TestClockAdvanceResponse = TestClockAdvanceResponses[keyof TestClockAdvanceResponses];

export type ApiKeysListData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Page size
         */
        limit?: number;
        /**
         * `nextCursor` of the previous page
         */
        cursor?: string;
        /**
         * Items created after this time
         */
        createdAfter?: string;
        /**
         * Items created before this time
         */
        createdBefore?: string;
    };
    url: '/api/v1/auth/api-keys';
};

export type ApiKeysListResponses = {
    /**
     * The record
     */
    200: ApiKey;
};

export type ApiKeysListResponse = ApiKeysListResponses[keyof ApiKeysListResponses];

export type ApiKeysCreateData = {
    body: {
        /**
         * Display name
         */
        name: string;
        /**
         * Scopes: `read`, `write`, `support`, or `*` for all of them
         */
        scopes: Array<'read' | 'write' | 'support' | '*'>;
        /**
         * Marketplace that the key belongs to; defaults to the marketplace of the request
         */
        marketplaceId?: string;
        /**
         * Expiry time; null or omitted: the key does not expire
         */
        expiresAt?: string;
    };
    path?: never;
    query?: never;
    url: '/api/v1/auth/api-keys';
};

export type ApiKeysCreateResponses = {
    /**
     * The record
     */
    200: NewApiKey;
};

export type ApiKeysCreateResponse = ApiKeysCreateResponses[keyof ApiKeysCreateResponses];

export type ApiKeysRotateData = {
    body?: {
        /**
         * How long the previous key stays valid
         */
        overlapSeconds?: number;
    };
    path: {
        /**
         * Id with the prefix key_
         */
        id: string;
    };
    query?: never;
    url: '/api/v1/auth/api-keys/{id}/rotate';
};

export type ApiKeysRotateResponses = {
    /**
     * The record
     */
    200: RotatedApiKey;
};

export type ApiKeysRotateResponse = ApiKeysRotateResponses[keyof ApiKeysRotateResponses];

export type ApiKeysCreateTokenData = {
    body?: {
        /**
         * A subset of the scopes of the key; defaults to all of them
         */
        scopes?: Array<'read' | 'write' | 'support' | '*'>;
        /**
         * Lifetime in seconds
         */
        ttlSeconds?: number;
    };
    path: {
        /**
         * Id with the prefix key_
         */
        id: string;
    };
    query?: never;
    url: '/api/v1/auth/api-keys/{id}/token';
};

export type ApiKeysCreateTokenResponses = {
    /**
     * The record
     */
    200: AccessToken;
};

export type ApiKeysCreateTokenResponse = ApiKeysCreateTokenResponses[keyof ApiKeysCreateTokenResponses];

export type ApiKeysRevokeData = {
    body?: never;
    path: {
        /**
         * Id with the prefix key_
         */
        id: string;
    };
    query?: never;
    url: '/api/v1/auth/api-keys/{id}';
};

export type ApiKeysRevokeResponses = {
    /**
     * The record
     */
    200: ApiKey;
};

export type ApiKeysRevokeResponse = ApiKeysRevokeResponses[keyof ApiKeysRevokeResponses];

export type ApiKeysGetCurrentData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/v1/auth/me';
};

export type ApiKeysGetCurrentResponses = {
    /**
     * The record
     */
    200: AuthContext;
};

export type ApiKeysGetCurrentResponse = ApiKeysGetCurrentResponses[keyof ApiKeysGetCurrentResponses];

export type UsersListData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Page size
         */
        limit?: number;
        /**
         * `nextCursor` of the previous page
         */
        cursor?: string;
        /**
         * Items created after this time
         */
        createdAfter?: string;
        /**
         * Items created before this time
         */
        createdBefore?: string;
        /**
         * Your own id for the user; unique within a marketplace
         */
        externalUserId?: string;
        /**
         * Exact match
         */
        email?: string;
        /**
         * Roles that the user can take in an order
         */
        type?: 'BUYER' | 'SELLER' | 'BOTH';
        /**
         * A `SUSPENDED` user cannot buy, sell, reserve funds, top up or withdraw; running operations are completed
         */
        status?: 'ACTIVE' | 'SUSPENDED';
    };
    url: '/api/v1/users';
};

export type UsersListResponses = {
    /**
     * The record
     */
    200: User;
};

export type UsersListResponse = UsersListResponses[keyof UsersListResponses];

export type UsersCreateData = {
    body: {
        /**
         * Your own id for the user; unique within a marketplace
         */
        externalUserId: string;
        /**
         * E-mail address
         */
        email?: string;
        /**
         * Roles that the user can take in an order
         */
        type?: 'BUYER' | 'SELLER' | 'BOTH';
        /**
         * Your own data: up to 16 KiB of JSON, nested up to five levels
         */
        metadata?: {
            [key: string]: unknown;
        };
    };
    path?: never;
    query?: never;
    url: '/api/v1/users';
};

export type UsersCreateResponses = {
    /**
     * The record
     */
    200: User;
};

export type UsersCreateResponse = UsersCreateResponses[keyof UsersCreateResponses];

export type UsersGetData = {
    body?: never;
    path: {
        /**
         * Id with the prefix usr_
         */
        id: string;
    };
    query?: never;
    url: '/api/v1/users/{id}';
};

export type UsersGetResponses = {
    /**
     * The record
     */
    200: User;
};

export type UsersGetResponse = UsersGetResponses[keyof UsersGetResponses];

export type UsersUpdateData = {
    body?: {
        /**
         * A `SUSPENDED` user cannot buy, sell, reserve funds, top up or withdraw; running operations are completed
         */
        status?: 'ACTIVE' | 'SUSPENDED';
        /**
         * An empty text removes the address
         */
        email?: string | null;
        /**
         * Your own data: up to 16 KiB of JSON, nested up to five levels
         */
        metadata?: {
            [key: string]: unknown;
        };
    };
    path: {
        /**
         * Id with the prefix usr_
         */
        id: string;
    };
    query?: never;
    url: '/api/v1/users/{id}';
};

export type UsersUpdateResponses = {
    /**
     * The record
     */
    200: User;
};

export type UsersUpdateResponse = UsersUpdateResponses[keyof UsersUpdateResponses];

export type UsersLinkPaymentAccountData = {
    body?: {
        /**
         * E-mail address
         */
        email?: string;
        /**
         * The user's id at the payment provider, instead of `email`
         */
        paymentAccountUserId?: string;
    };
    path: {
        /**
         * Id with the prefix usr_
         */
        id: string;
    };
    query?: never;
    url: '/api/v1/users/{id}/payment-account/link';
};

export type UsersLinkPaymentAccountResponses = {
    /**
     * The record
     */
    200: PaymentAccountLink;
};

export type UsersLinkPaymentAccountResponse = UsersLinkPaymentAccountResponses[keyof UsersLinkPaymentAccountResponses];

export type BalancesGetData = {
    body?: never;
    path: {
        /**
         * Id with the prefix usr_
         */
        userId: string;
    };
    query?: {
        /**
         * Currency code
         */
        currency?: 'USD' | 'USDC' | 'XLM';
        /**
         * Returns the balance at this time instead of the current one
         */
        at?: string;
    };
    url: '/api/v1/users/{userId}/balance';
};

export type BalancesGetResponses = {
    /**
     * The record
     */
    200: Balance;
};

export type BalancesGetResponse = BalancesGetResponses[keyof BalancesGetResponses];

export type BalancesCreditData = {
    body: {
        /**
         * Decimal string above zero with up to 2 decimal places
         */
        amount: string;
        /**
         * Currency code
         */
        currency?: 'USD' | 'USDC' | 'XLM';
        /**
         * Your own reference. Credits and debits are idempotent per user and reference
         */
        reference?: string;
        /**
         * Shown in the transaction list
         */
        description?: string;
    };
    path: {
        /**
         * Id with the prefix usr_
         */
        userId: string;
    };
    query?: never;
    url: '/api/v1/users/{userId}/balance/credit';
};

export type BalancesCreditResponses = {
    /**
     * The record
     */
    200: BalanceAfterTransfer;
};

export type BalancesCreditResponse = BalancesCreditResponses[keyof BalancesCreditResponses];

export type BalancesDebitData = {
    body: {
        /**
         * Decimal string above zero with up to 7 decimal places
         */
        amount: string;
        /**
         * Currency code
         */
        currency?: 'USD' | 'USDC' | 'XLM';
        /**
         * Your own reference. Credits and debits are idempotent per user and reference
         */
        reference?: string;
        /**
         * Shown in the transaction list
         */
        description?: string;
    };
    path: {
        /**
         * Id with the prefix usr_
         */
        userId: string;
    };
    query?: never;
    url: '/api/v1/users/{userId}/balance/debit';
};

export type BalancesDebitResponses = {
    /**
     * The record
     */
    200: BalanceAfterTransfer;
};

export type BalancesDebitResponse = BalancesDebitResponses[keyof BalancesDebitResponses];

export type BalancesReserveData = {
    body: {
        /**
         * Decimal string above zero with up to 2 decimal places
         */
        amount: string;
        /**
         * Resource id
         */
        orderId?: string;
        /**
         * Currency code
         */
        currency?: 'USD' | 'USDC' | 'XLM';
        /**
         * Recorded in the audit log
         */
        reason?: string;
    };
    path: {
        /**
         * Id with the prefix usr_
         */
        userId: string;
    };
    query?: never;
    url: '/api/v1/users/{userId}/balance/reserve';
};

export type BalancesReserveResponses = {
    /**
     * The record
     */
    200: BalanceAfterTransfer;
};

export type BalancesReserveResponse = BalancesReserveResponses[keyof BalancesReserveResponses];

export type BalancesReleaseData = {
    body: {
        /**
         * Decimal string above zero with up to 2 decimal places
         */
        amount: string;
        /**
         * Resource id
         */
        orderId?: string;
        /**
         * Currency code
         */
        currency?: 'USD' | 'USDC' | 'XLM';
        /**
         * Recorded in the audit log
         */
        reason?: string;
    };
    path: {
        /**
         * Id with the prefix usr_
         */
        userId: string;
    };
    query?: never;
    url: '/api/v1/users/{userId}/balance/release';
};

export type BalancesReleaseResponses = {
    /**
     * The record
     */
    200: BalanceAfterTransfer;
};

export type BalancesReleaseResponse = BalancesReleaseResponses[keyof BalancesReleaseResponses];

export type BalancesDeductReservedData = {
    body: {
        /**
         * Decimal string above zero with up to 2 decimal places
         */
        amount: string;
        /**
         * Resource id
         */
        orderId?: string;
        /**
         * Currency code
         */
        currency?: 'USD' | 'USDC' | 'XLM';
        /**
         * Recorded in the audit log
         */
        reason?: string;
    };
    path: {
        /**
         * Id with the prefix usr_
         */
        userId: string;
    };
    query?: never;
    url: '/api/v1/users/{userId}/balance/deduct-reserved';
};

export type BalancesDeductReservedResponses = {
    /**
     * The record
     */
    200: BalanceAfterTransfer;
};

export type BalancesDeductReservedResponse = BalancesDeductReservedResponses[keyof BalancesDeductReservedResponses];

export type BalancesCancelReservationData = {
    body: {
        /**
         * Resource id
         */
        orderId: string;
        /**
         * Recorded in the audit log
         */
        reason?: string;
    };
    path: {
        /**
         * Id with the prefix usr_
         */
        userId: string;
    };
    query?: never;
    url: '/api/v1/users/{userId}/balance/cancel-reservation';
};

export type BalancesCancelReservationResponses = {
    /**
     * The record
     */
    200: BalanceAfterTransfer;
};

export type BalancesCancelReservationResponse = BalancesCancelReservationResponses[keyof BalancesCancelReservationResponses];

export type BalancesSyncData = {
    body?: {
        /**
         * Currency code
         */
        currency?: 'USD' | 'USDC' | 'XLM';
    };
    path: {
        /**
         * Id with the prefix usr_
         */
        userId: string;
    };
    query?: never;
    url: '/api/v1/users/{userId}/balance/sync';
};

export type BalancesSyncResponses = {
    /**
     * The record
     */
    200: BalanceSyncResult;
};

export type BalancesSyncResponse = BalancesSyncResponses[keyof BalancesSyncResponses];

export type BalancesVerifyData = {
    body?: never;
    path: {
        /**
         * Id with the prefix usr_
         */
        userId: string;
    };
    query?: {
        /**
         * Currency code
         */
        currency?: 'USD' | 'USDC' | 'XLM';
    };
    url: '/api/v1/users/{userId}/balance/verify';
};

export type BalancesVerifyResponses = {
    /**
     * The record
     */
    200: BalanceVerification;
};

export type BalancesVerifyResponse = BalancesVerifyResponses[keyof BalancesVerifyResponses];

export type BalancesListTransactionsData = {
    body?: never;
    path: {
        /**
         * Id with the prefix usr_
         */
        userId: string;
    };
    query?: {
        /**
         * Page size
         */
        limit?: number;
        /**
         * `nextCursor` of the previous page
         */
        cursor?: string;
        /**
         * Items created after this time
         */
        createdAfter?: string;
        /**
         * Items created before this time
         */
        createdBefore?: string;
        /**
         * Currency code
         */
        currency?: 'USD' | 'USDC' | 'XLM';
    };
    url: '/api/v1/users/{userId}/balance/transactions';
};

export type BalancesListTransactionsResponses = {
    /**
     * The record
     */
    200: BalanceTransaction;
};

export type BalancesListTransactionsResponse = BalancesListTransactionsResponses[keyof BalancesListTransactionsResponses];

export type BalancesListData = {
    body?: never;
    path: {
        /**
         * Id with the prefix usr_
         */
        userId: string;
    };
    query?: {
        /**
         * Page size
         */
        limit?: number;
        /**
         * `nextCursor` of the previous page
         */
        cursor?: string;
    };
    url: '/api/v1/users/{userId}/balances';
};

export type BalancesListResponses = {
    /**
     * The record
     */
    200: Balance;
};

export type BalancesListResponse = BalancesListResponses[keyof BalancesListResponses];

export type BalancesListReservationsData = {
    body?: never;
    path: {
        /**
         * Id with the prefix usr_
         */
        userId: string;
    };
    query?: {
        /**
         * Page size
         */
        limit?: number;
        /**
         * `nextCursor` of the previous page
         */
        cursor?: string;
        /**
         * Items created after this time
         */
        createdAfter?: string;
        /**
         * Items created before this time
         */
        createdBefore?: string;
    };
    url: '/api/v1/users/{userId}/reservations';
};

export type BalancesListReservationsResponses = {
    /**
     * The record
     */
    200: Reservation;
};

export type BalancesListReservationsResponse = BalancesListReservationsResponses[keyof BalancesListReservationsResponses];

export type StatementsGetData = {
    body?: never;
    path: {
        /**
         * Id with the prefix usr_
         */
        userId: string;
    };
    query: {
        /**
         * ISO 8601 date or time. A line of exactly this time is not included
         */
        from: string;
        /**
         * ISO 8601 date or time, at most 366 days later. A line of exactly this time is included
         */
        to: string;
        /**
         * Currency code
         */
        currency?: 'USD' | 'USDC' | 'XLM';
        /**
         * Page size
         */
        limit?: number;
        /**
         * `nextCursor` of the previous page
         */
        cursor?: string;
    };
    url: '/api/v1/users/{userId}/statements';
};

export type StatementsGetResponses = {
    /**
     * The record
     */
    200: Statement;
};

export type StatementsGetResponse = StatementsGetResponses[keyof StatementsGetResponses];

export type WalletsGetData = {
    body?: never;
    path: {
        /**
         * Id with the prefix usr_
         */
        userId: string;
    };
    query?: never;
    url: '/api/v1/users/{userId}/wallet';
};

export type WalletsGetResponses = {
    /**
     * The record
     */
    200: Wallet;
};

export type WalletsGetResponse = WalletsGetResponses[keyof WalletsGetResponses];

export type WalletsGetDepositAddressData = {
    body?: never;
    path: {
        /**
         * Id with the prefix usr_
         */
        userId: string;
    };
    query?: never;
    url: '/api/v1/users/{userId}/wallet/deposit';
};

export type WalletsGetDepositAddressResponses = {
    /**
     * The record
     */
    200: DepositAddress;
};

export type WalletsGetDepositAddressResponse = WalletsGetDepositAddressResponses[keyof WalletsGetDepositAddressResponses];

export type WalletsListTransactionsData = {
    body?: never;
    path: {
        /**
         * Id with the prefix usr_
         */
        userId: string;
    };
    query?: {
        /**
         * Page size
         */
        limit?: number;
        /**
         * `nextCursor` of the previous page
         */
        cursor?: string;
        /**
         * Items created after this time
         */
        createdAfter?: string;
        /**
         * Items created before this time
         */
        createdBefore?: string;
    };
    url: '/api/v1/users/{userId}/wallet/transactions';
};

export type WalletsListTransactionsResponses = {
    /**
     * The record
     */
    200: WalletTransaction;
};

export type WalletsListTransactionsResponse = WalletsListTransactionsResponses[keyof WalletsListTransactionsResponses];

export type OrdersListData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Page size
         */
        limit?: number;
        /**
         * `nextCursor` of the previous page
         */
        cursor?: string;
        /**
         * Items created after this time
         */
        createdAfter?: string;
        /**
         * Items created before this time
         */
        createdBefore?: string;
        status?: 'ORDER_CREATED' | 'FUNDS_RESERVED' | 'ESCROW_CREATING' | 'ESCROW_FUNDING' | 'IN_PROGRESS' | 'RELEASE_REQUESTED' | 'RELEASED' | 'REFUND_REQUESTED' | 'REFUNDED' | 'DISPUTED' | 'CLOSED';
        /**
         * Filter by buyer; combine with `sellerId` for orders between the two
         */
        buyerId?: string;
        /**
         * Filter by seller
         */
        sellerId?: string;
        /**
         * Your own reference: the order that has it
         */
        clientOrderRef?: string;
    };
    url: '/api/v1/orders';
};

export type OrdersListResponses = {
    /**
     * The record
     */
    200: Order;
};

export type OrdersListResponse = OrdersListResponses[keyof OrdersListResponses];

export type OrdersCreateData = {
    body: {
        /**
         * User who pays
         */
        buyerId: string;
        /**
         * User who is paid
         */
        sellerId: string;
        /**
         * Decimal string above zero with up to 2 decimal places
         */
        amount: string;
        /**
         * Currency code
         */
        currency?: 'USD' | 'USDC' | 'XLM';
        /**
         * Also used as the title of the escrow
         */
        title?: string;
        description?: string;
        /**
         * Your own reference; unique within a marketplace
         */
        clientOrderRef?: string;
        /**
         * Your own data. `platformFee` sets the fee of this order: a percentage from 0 to 50 with at most two decimals
         */
        metadata?: {
            [key: string]: unknown;
        };
        /**
         * The amounts must add up to the order amount
         */
        milestones?: Array<{
            /**
             * Your own reference; unique within the order
             */
            ref: string;
            title: string;
            /**
             * Decimal string above zero with up to 2 decimal places
             */
            amount: string;
        }>;
        /**
         * `milestone`: each milestone is released, refunded and disputed on its own. Default `order`
         */
        releaseMode?: 'order' | 'milestone';
        /**
         * ISO 8601 duration from PT1S to P90D. When it has passed without an objection, a submitted milestone is released. Absent: nothing is released automatically
         */
        reviewPeriod?: string;
        /**
         * In the future, at most a year ahead
         */
        deliverBy?: string;
        /**
         * `refund`: if nothing was submitted or completed by `deliverBy`, the buyer is refunded. Default `none`
         */
        onNotDelivered?: 'none' | 'refund';
    };
    path?: never;
    query?: never;
    url: '/api/v1/orders';
};

export type OrdersCreateResponses = {
    /**
     * The record
     */
    200: Order;
};

export type OrdersCreateResponse = OrdersCreateResponses[keyof OrdersCreateResponses];

export type OrdersGetData = {
    body?: never;
    path: {
        /**
         * Id with the prefix ord_
         */
        id: string;
    };
    query?: never;
    url: '/api/v1/orders/{id}';
};

export type OrdersGetResponses = {
    /**
     * The record
     */
    200: Order;
};

export type OrdersGetResponse = OrdersGetResponses[keyof OrdersGetResponses];

export type OrdersReserveData = {
    body?: never;
    path: {
        /**
         * Id with the prefix ord_
         */
        id: string;
    };
    query?: never;
    url: '/api/v1/orders/{id}/reserve';
};

export type OrdersReserveResponses = {
    /**
     * The record
     */
    200: Order;
};

export type OrdersReserveResponse = OrdersReserveResponses[keyof OrdersReserveResponses];

export type OrdersCreateEscrowData = {
    body?: never;
    path: {
        /**
         * Id with the prefix ord_
         */
        id: string;
    };
    query?: never;
    url: '/api/v1/orders/{id}/escrow';
};

export type OrdersCreateEscrowResponses = {
    /**
     * The record
     */
    200: Order;
};

export type OrdersCreateEscrowResponse = OrdersCreateEscrowResponses[keyof OrdersCreateEscrowResponses];

export type OrdersFundEscrowData = {
    body?: never;
    path: {
        /**
         * Id with the prefix ord_
         */
        id: string;
    };
    query?: never;
    url: '/api/v1/orders/{id}/escrow/fund';
};

export type OrdersFundEscrowResponses = {
    /**
     * The record
     */
    200: Order;
};

export type OrdersFundEscrowResponse = OrdersFundEscrowResponses[keyof OrdersFundEscrowResponses];

export type OrdersCancelData = {
    body?: {
        /**
         * Recorded in the audit log
         */
        reason?: string;
        /**
         * Defaults to the credential of the request
         */
        canceledBy?: string;
    };
    path: {
        /**
         * Id with the prefix ord_
         */
        id: string;
    };
    query?: never;
    url: '/api/v1/orders/{id}/cancel';
};

export type OrdersCancelResponses = {
    /**
     * The record
     */
    200: Order;
};

export type OrdersCancelResponse = OrdersCancelResponses[keyof OrdersCancelResponses];

export type OrdersListMilestonesData = {
    body?: never;
    path: {
        /**
         * Id with the prefix ord_
         */
        id: string;
    };
    query?: {
        /**
         * Page size
         */
        limit?: number;
        /**
         * `nextCursor` of the previous page
         */
        cursor?: string;
    };
    url: '/api/v1/orders/{id}/milestones';
};

export type OrdersListMilestonesResponses = {
    /**
     * The record
     */
    200: Milestone;
};

export type OrdersListMilestonesResponse = OrdersListMilestonesResponses[keyof OrdersListMilestonesResponses];

export type OrdersCompleteMilestoneData = {
    body?: never;
    path: {
        /**
         * Id with the prefix ord_
         */
        id: string;
        /**
         * Reference of the milestone
         */
        ref: string;
    };
    query?: never;
    url: '/api/v1/orders/{id}/milestones/{ref}/complete';
};

export type OrdersCompleteMilestoneResponses = {
    /**
     * The record
     */
    200: OrderWithMilestone;
};

export type OrdersCompleteMilestoneResponse = OrdersCompleteMilestoneResponses[keyof OrdersCompleteMilestoneResponses];

export type OrdersSubmitMilestoneData = {
    body?: {
        evidence?: {
            text?: string;
            /**
             * https only
             */
            url?: string;
        };
    };
    path: {
        /**
         * Id with the prefix ord_
         */
        id: string;
        /**
         * Reference of the milestone
         */
        ref: string;
    };
    query?: never;
    url: '/api/v1/orders/{id}/milestones/{ref}/submit';
};

export type OrdersSubmitMilestoneResponses = {
    /**
     * The record
     */
    200: OrderWithMilestone;
};

export type OrdersSubmitMilestoneResponse = OrdersSubmitMilestoneResponses[keyof OrdersSubmitMilestoneResponses];

export type OrdersRequestMilestoneChangesData = {
    body: {
        /**
         * Recorded in the audit log
         */
        reason: string;
    };
    path: {
        /**
         * Id with the prefix ord_
         */
        id: string;
        /**
         * Reference of the milestone
         */
        ref: string;
    };
    query?: never;
    url: '/api/v1/orders/{id}/milestones/{ref}/request-changes';
};

export type OrdersRequestMilestoneChangesResponses = {
    /**
     * The record
     */
    200: OrderWithMilestone;
};

export type OrdersRequestMilestoneChangesResponse = OrdersRequestMilestoneChangesResponses[keyof OrdersRequestMilestoneChangesResponses];

export type OrdersExtendMilestoneReviewData = {
    body: {
        /**
         * ISO 8601 date, or date and time; UTC unless it has an offset. A date alone is its midnight
         */
        until: string;
    };
    path: {
        /**
         * Id with the prefix ord_
         */
        id: string;
        /**
         * Reference of the milestone
         */
        ref: string;
    };
    query?: never;
    url: '/api/v1/orders/{id}/milestones/{ref}/extend-review';
};

export type OrdersExtendMilestoneReviewResponses = {
    /**
     * The record
     */
    200: OrderWithMilestone;
};

export type OrdersExtendMilestoneReviewResponse = OrdersExtendMilestoneReviewResponses[keyof OrdersExtendMilestoneReviewResponses];

export type OrdersReleaseMilestoneData = {
    body?: never;
    path: {
        /**
         * Id with the prefix ord_
         */
        id: string;
        /**
         * Reference of the milestone
         */
        ref: string;
    };
    query?: never;
    url: '/api/v1/orders/{id}/milestones/{ref}/release';
};

export type OrdersReleaseMilestoneResponses = {
    /**
     * The record
     */
    200: OrderWithMilestone;
};

export type OrdersReleaseMilestoneResponse = OrdersReleaseMilestoneResponses[keyof OrdersReleaseMilestoneResponses];

export type OrdersRefundMilestoneData = {
    body: {
        /**
         * Recorded in the audit log
         */
        reason: string;
    };
    path: {
        /**
         * Id with the prefix ord_
         */
        id: string;
        /**
         * Reference of the milestone
         */
        ref: string;
    };
    query?: never;
    url: '/api/v1/orders/{id}/milestones/{ref}/refund';
};

export type OrdersRefundMilestoneResponses = {
    /**
     * The record
     */
    200: OrderWithMilestone;
};

export type OrdersRefundMilestoneResponse = OrdersRefundMilestoneResponses[keyof OrdersRefundMilestoneResponses];

export type OrdersDisputeMilestoneData = {
    body: {
        openedBy: 'BUYER' | 'SELLER';
        reason: 'NOT_DELIVERED' | 'QUALITY_ISSUE' | 'OTHER';
        evidence?: {
            text?: string;
            /**
             * https only
             */
            url?: string;
        };
    };
    path: {
        /**
         * Id with the prefix ord_
         */
        id: string;
        /**
         * Reference of the milestone
         */
        ref: string;
    };
    query?: never;
    url: '/api/v1/orders/{id}/milestones/{ref}/dispute';
};

export type OrdersDisputeMilestoneResponses = {
    /**
     * The record
     */
    200: OrderWithMilestone;
};

export type OrdersDisputeMilestoneResponse = OrdersDisputeMilestoneResponses[keyof OrdersDisputeMilestoneResponses];

export type OrdersListTransfersData = {
    body?: never;
    path: {
        /**
         * Id with the prefix ord_
         */
        id: string;
    };
    query?: {
        /**
         * Page size
         */
        limit?: number;
        /**
         * `nextCursor` of the previous page
         */
        cursor?: string;
        /**
         * Items created after this time
         */
        createdAfter?: string;
        /**
         * Items created before this time
         */
        createdBefore?: string;
    };
    url: '/api/v1/orders/{id}/transfers';
};

export type OrdersListTransfersResponses = {
    /**
     * The record
     */
    200: OrderTransfer;
};

export type OrdersListTransfersResponse = OrdersListTransfersResponses[keyof OrdersListTransfersResponses];

export type OrdersGetTimelineData = {
    body?: never;
    path: {
        /**
         * Id with the prefix ord_
         */
        id: string;
    };
    query?: never;
    url: '/api/v1/orders/{id}/timeline';
};

export type OrdersGetTimelineResponses = {
    /**
     * The record
     */
    200: OrderTimeline;
};

export type OrdersGetTimelineResponse = OrdersGetTimelineResponses[keyof OrdersGetTimelineResponses];

export type OrdersReleaseData = {
    body?: {
        /**
         * Recorded in the audit log
         */
        reason?: string;
    };
    path: {
        /**
         * Id with the prefix ord_
         */
        orderId: string;
    };
    query?: never;
    url: '/api/v1/orders/{orderId}/resolution/release';
};

export type OrdersReleaseResponses = {
    /**
     * The record
     */
    200: Order;
};

export type OrdersReleaseResponse = OrdersReleaseResponses[keyof OrdersReleaseResponses];

export type OrdersRefundData = {
    body: {
        /**
         * Recorded in the audit log
         */
        reason: string;
    };
    path: {
        /**
         * Id with the prefix ord_
         */
        orderId: string;
    };
    query?: never;
    url: '/api/v1/orders/{orderId}/resolution/refund';
};

export type OrdersRefundResponses = {
    /**
     * The record
     */
    200: Order;
};

export type OrdersRefundResponse = OrdersRefundResponses[keyof OrdersRefundResponses];

export type DisputesOpenData = {
    body: {
        openedBy: 'BUYER' | 'SELLER';
        reason: 'NOT_DELIVERED' | 'QUALITY_ISSUE' | 'OTHER';
        /**
         * References, such as URLs
         */
        evidence?: Array<string>;
    };
    path: {
        /**
         * Id with the prefix ord_
         */
        orderId: string;
    };
    query?: never;
    url: '/api/v1/orders/{orderId}/resolution/dispute';
};

export type DisputesOpenResponses = {
    /**
     * The record
     */
    200: OpenedDispute;
};

export type DisputesOpenResponse = DisputesOpenResponses[keyof DisputesOpenResponses];

export type DisputesListData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Page size
         */
        limit?: number;
        /**
         * `nextCursor` of the previous page
         */
        cursor?: string;
        /**
         * Items created after this time
         */
        createdAfter?: string;
        /**
         * Items created before this time
         */
        createdBefore?: string;
        /**
         * Resource id
         */
        orderId?: string;
        status?: 'OPEN' | 'UNDER_REVIEW' | 'RESOLVED';
        openedBy?: 'BUYER' | 'SELLER';
        /**
         * `true`: only those that were not decided by `decideBy`
         */
        overdue?: 'true' | 'false';
    };
    url: '/api/v1/disputes';
};

export type DisputesListResponses = {
    /**
     * The record
     */
    200: Dispute;
};

export type DisputesListResponse = DisputesListResponses[keyof DisputesListResponses];

export type DisputesGetData = {
    body?: never;
    path: {
        /**
         * Id with the prefix dsp_
         */
        id: string;
    };
    query?: never;
    url: '/api/v1/disputes/{id}';
};

export type DisputesGetResponses = {
    /**
     * The record
     */
    200: Dispute;
};

export type DisputesGetResponse = DisputesGetResponses[keyof DisputesGetResponses];

export type DisputesAssignData = {
    body: {
        /**
         * Your own id of the agent
         */
        assignedTo: string;
    };
    path: {
        /**
         * Id with the prefix dsp_
         */
        id: string;
    };
    query?: never;
    url: '/api/v1/disputes/{id}/assign';
};

export type DisputesAssignResponses = {
    /**
     * The record
     */
    200: Dispute;
};

export type DisputesAssignResponse = DisputesAssignResponses[keyof DisputesAssignResponses];

export type DisputesAddEvidenceData = {
    body: {
        text?: string;
        /**
         * https only
         */
        url?: string;
        by: 'BUYER' | 'SELLER';
    };
    path: {
        /**
         * Id with the prefix dsp_
         */
        id: string;
    };
    query?: never;
    url: '/api/v1/disputes/{id}/evidence';
};

export type DisputesAddEvidenceResponses = {
    /**
     * The record
     */
    200: Dispute;
};

export type DisputesAddEvidenceResponse = DisputesAddEvidenceResponses[keyof DisputesAddEvidenceResponses];

export type DisputesResolveData = {
    body: {
        /**
         * Who gets the money
         */
        decision: 'FULL_RELEASE' | 'FULL_REFUND' | 'SPLIT';
        /**
         * Amount for the seller; only with SPLIT. Also accepted as `sellerAmount`
         */
        releaseAmount?: string;
        /**
         * Amount for the buyer; only with SPLIT. Also accepted as `buyerAmount`
         */
        refundAmount?: string;
        /**
         * Explanation of the decision
         */
        note?: string;
    };
    path: {
        /**
         * Id with the prefix dsp_
         */
        id: string;
    };
    query?: {
        /**
         * `true`: nothing changes; returns what would be paid
         */
        preview?: 'true' | 'false';
    };
    url: '/api/v1/disputes/{id}/resolve';
};

export type DisputesResolveResponses = {
    /**
     * The record
     */
    200: Dispute | ResolutionPreview;
};

export type DisputesResolveResponse = DisputesResolveResponses[keyof DisputesResolveResponses];

export type DisputesListCommentsData = {
    body?: never;
    path: {
        /**
         * Id with the prefix dsp_
         */
        id: string;
    };
    query?: {
        /**
         * Page size
         */
        limit?: number;
        /**
         * `nextCursor` of the previous page
         */
        cursor?: string;
        /**
         * Items created after this time
         */
        createdAfter?: string;
        /**
         * Items created before this time
         */
        createdBefore?: string;
    };
    url: '/api/v1/disputes/{id}/comments';
};

export type DisputesListCommentsResponses = {
    /**
     * The record
     */
    200: DisputeComment;
};

export type DisputesListCommentsResponse = DisputesListCommentsResponses[keyof DisputesListCommentsResponses];

export type DisputesCreateCommentData = {
    body: {
        text: string;
        /**
         * Defaults to the credential of the request
         */
        author?: string;
    };
    path: {
        /**
         * Id with the prefix dsp_
         */
        id: string;
    };
    query?: never;
    url: '/api/v1/disputes/{id}/comments';
};

export type DisputesCreateCommentResponses = {
    /**
     * The record
     */
    200: DisputeComment;
};

export type DisputesCreateCommentResponse = DisputesCreateCommentResponses[keyof DisputesCreateCommentResponses];

export type TopupsListData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Page size
         */
        limit?: number;
        /**
         * `nextCursor` of the previous page
         */
        cursor?: string;
        /**
         * Items created after this time
         */
        createdAfter?: string;
        /**
         * Items created before this time
         */
        createdBefore?: string;
        /**
         * User whose balance is credited
         */
        userId?: string;
        status?: 'TOPUP_CREATED' | 'TOPUP_AWAITING_USER_CONFIRMATION' | 'TOPUP_PROCESSING' | 'TOPUP_SUCCEEDED' | 'TOPUP_FAILED' | 'TOPUP_CANCELED';
    };
    url: '/api/v1/topups';
};

export type TopupsListResponses = {
    /**
     * The record
     */
    200: TopUp;
};

export type TopupsListResponse = TopupsListResponses[keyof TopupsListResponses];

export type TopupsCreateData = {
    body: {
        /**
         * User whose balance is credited
         */
        userId: string;
        /**
         * Decimal string above zero with up to 2 decimal places
         */
        amount: string;
        /**
         * Only USD is supported
         */
        currency?: 'USD';
        description?: string;
        /**
         * Redirect after the payment
         */
        returnUrl?: string;
        /**
         * Redirect after a cancellation
         */
        cancelUrl?: string;
        /**
         * Your own data: up to 16 KiB of JSON, nested up to five levels
         */
        metadata?: {
            [key: string]: unknown;
        };
    };
    path?: never;
    query?: never;
    url: '/api/v1/topups';
};

export type TopupsCreateResponses = {
    /**
     * The record
     */
    200: TopUp;
};

export type TopupsCreateResponse = TopupsCreateResponses[keyof TopupsCreateResponses];

export type TopupsGetData = {
    body?: never;
    path: {
        /**
         * Id with the prefix topup_
         */
        id: string;
    };
    query?: never;
    url: '/api/v1/topups/{id}';
};

export type TopupsGetResponses = {
    /**
     * The record
     */
    200: TopUp;
};

export type TopupsGetResponse = TopupsGetResponses[keyof TopupsGetResponses];

export type TopupsRefreshData = {
    body?: never;
    path: {
        /**
         * Id with the prefix topup_
         */
        id: string;
    };
    query?: never;
    url: '/api/v1/topups/{id}/refresh';
};

export type TopupsRefreshResponses = {
    /**
     * The record
     */
    200: TopUp;
};

export type TopupsRefreshResponse = TopupsRefreshResponses[keyof TopupsRefreshResponses];

export type TopupsCancelData = {
    body?: {
        /**
         * Recorded in the audit log
         */
        reason?: string;
        /**
         * Defaults to the credential of the request
         */
        canceledBy?: string;
    };
    path: {
        /**
         * Id with the prefix topup_
         */
        id: string;
    };
    query?: never;
    url: '/api/v1/topups/{id}/cancel';
};

export type TopupsCancelResponses = {
    /**
     * The record
     */
    200: TopUp;
};

export type TopupsCancelResponse = TopupsCancelResponses[keyof TopupsCancelResponses];

export type WithdrawalsListData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Page size
         */
        limit?: number;
        /**
         * `nextCursor` of the previous page
         */
        cursor?: string;
        /**
         * Items created after this time
         */
        createdAfter?: string;
        /**
         * Items created before this time
         */
        createdBefore?: string;
        /**
         * Resource id
         */
        userId?: string;
        status?: 'WITHDRAWAL_CREATED' | 'WITHDRAWAL_COMMITTED' | 'WITHDRAWAL_PENDING' | 'WITHDRAWAL_PENDING_USER_ACTION' | 'WITHDRAWAL_COMPLETED' | 'WITHDRAWAL_FAILED' | 'WITHDRAWAL_CANCELED';
    };
    url: '/api/v1/withdrawals';
};

export type WithdrawalsListResponses = {
    /**
     * The record
     */
    200: Withdrawal;
};

export type WithdrawalsListResponse = WithdrawalsListResponses[keyof WithdrawalsListResponses];

export type WithdrawalsCreateData = {
    body: {
        /**
         * User whose balance is debited
         */
        userId: string;
        /**
         * Decimal string above zero with up to 2 decimal places; USDC and XLM with up to 7
         */
        amount: string;
        /**
         * Currency code
         */
        currency: 'USD' | 'USDC' | 'XLM';
        /**
         * Destination of the payout
         */
        destination?: {
            type: 'bank';
            accountRef: string;
        } | {
            type: 'ledger';
            address: string;
        } | {
            type: 'payment_account';
        };
        /**
         * With `destinationRef`, an alternative to `destination`
         */
        destinationType?: 'bank' | 'ledger' | 'payment_account';
        /**
         * Account or address, with `destinationType`
         */
        destinationRef?: string;
        /**
         * Commit the withdrawal immediately
         */
        commit?: boolean;
        description?: string;
    };
    path?: never;
    query?: never;
    url: '/api/v1/withdrawals';
};

export type WithdrawalsCreateResponses = {
    /**
     * The record
     */
    200: Withdrawal;
};

export type WithdrawalsCreateResponse = WithdrawalsCreateResponses[keyof WithdrawalsCreateResponses];

export type WithdrawalsGetData = {
    body?: never;
    path: {
        /**
         * Id with the prefix wd_
         */
        id: string;
    };
    query?: never;
    url: '/api/v1/withdrawals/{id}';
};

export type WithdrawalsGetResponses = {
    /**
     * The record
     */
    200: Withdrawal;
};

export type WithdrawalsGetResponse = WithdrawalsGetResponses[keyof WithdrawalsGetResponses];

export type WithdrawalsCommitData = {
    body?: never;
    path: {
        /**
         * Id with the prefix wd_
         */
        id: string;
    };
    query?: never;
    url: '/api/v1/withdrawals/{id}/commit';
};

export type WithdrawalsCommitResponses = {
    /**
     * The record
     */
    200: Withdrawal;
};

export type WithdrawalsCommitResponse = WithdrawalsCommitResponses[keyof WithdrawalsCommitResponses];

export type WithdrawalsRefreshData = {
    body?: never;
    path: {
        /**
         * Id with the prefix wd_
         */
        id: string;
    };
    query?: never;
    url: '/api/v1/withdrawals/{id}/refresh';
};

export type WithdrawalsRefreshResponses = {
    /**
     * The record
     */
    200: Withdrawal;
};

export type WithdrawalsRefreshResponse = WithdrawalsRefreshResponses[keyof WithdrawalsRefreshResponses];

export type WithdrawalsCancelData = {
    body?: {
        /**
         * Recorded in the audit log
         */
        reason?: string;
        /**
         * Defaults to the credential of the request
         */
        canceledBy?: string;
    };
    path: {
        /**
         * Id with the prefix wd_
         */
        id: string;
    };
    query?: never;
    url: '/api/v1/withdrawals/{id}/cancel';
};

export type WithdrawalsCancelResponses = {
    /**
     * The record
     */
    200: Withdrawal;
};

export type WithdrawalsCancelResponse = WithdrawalsCancelResponses[keyof WithdrawalsCancelResponses];

export type ReconciliationListCasesData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Page size
         */
        limit?: number;
        /**
         * `nextCursor` of the previous page
         */
        cursor?: string;
        /**
         * Items created after this time
         */
        createdAfter?: string;
        /**
         * Items created before this time
         */
        createdBefore?: string;
        /**
         * Resource id
         */
        userId?: string;
        status?: 'OPEN' | 'PENDING_APPROVAL' | 'RESOLVED';
        kind?: 'late_money' | 'amount_mismatch' | 'unexplained_difference' | 'unknown_deposit' | 'unconfirmed_deposit' | 'unconfirmed_payment' | 'unknown_outflow' | 'quarantined_record';
    };
    url: '/api/v1/reconciliation/cases';
};

export type ReconciliationListCasesResponses = {
    /**
     * The record
     */
    200: ReconciliationCase;
};

export type ReconciliationListCasesResponse = ReconciliationListCasesResponses[keyof ReconciliationListCasesResponses];

export type ReconciliationResolveCaseData = {
    body: {
        action: 'credit' | 'return' | 'write_off';
        /**
         * Explanation
         */
        note: string;
    };
    path: {
        /**
         * Id with the prefix rcc_
         */
        id: string;
    };
    query?: never;
    url: '/api/v1/reconciliation/cases/{id}/resolve';
};

export type ReconciliationResolveCaseResponses = {
    /**
     * The record
     */
    200: ReconciliationCase;
};

export type ReconciliationResolveCaseResponse = ReconciliationResolveCaseResponses[keyof ReconciliationResolveCaseResponses];

export type ReconciliationListReportsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Page size
         */
        limit?: number;
        /**
         * `nextCursor` of the previous page
         */
        cursor?: string;
        /**
         * Items created after this time
         */
        createdAfter?: string;
        /**
         * Items created before this time
         */
        createdBefore?: string;
        /**
         * Currency code
         */
        currency?: 'USD' | 'USDC' | 'XLM';
    };
    url: '/api/v1/reconciliation/reports';
};

export type ReconciliationListReportsResponses = {
    /**
     * The record
     */
    200: ReconciliationReport;
};

export type ReconciliationListReportsResponse = ReconciliationListReportsResponses[keyof ReconciliationListReportsResponses];

export type ReconciliationCreateReportsData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/v1/reconciliation/reports';
};

export type ReconciliationCreateReportsResponses = {
    /**
     * The record
     */
    200: {
        reports: Array<ReconciliationReport>;
    };
};

export type ReconciliationCreateReportsResponse = ReconciliationCreateReportsResponses[keyof ReconciliationCreateReportsResponses];

export type EventsListData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Page size
         */
        limit?: number;
        /**
         * Only events after this one
         */
        after?: string;
        /**
         * `nextCursor` of the previous page; takes precedence over `after`
         */
        cursor?: string;
        /**
         * Event types, or such as `order.*`; repeatable
         */
        types?: Array<'user.created' | 'user.ledger_linked' | 'user.payment_account_linked' | 'balance.credited' | 'balance.debited' | 'balance.reserved' | 'balance.released' | 'order.created' | 'order.funds_reserved' | 'order.escrow_creating' | 'order.escrow_funding' | 'order.escrow_funded' | 'order.in_progress' | 'order.release_requested' | 'order.released' | 'order.refund_requested' | 'order.refunded' | 'order.disputed' | 'order.closed' | 'order.canceled' | 'milestone.released' | 'milestone.refunded' | 'milestone.submitted' | 'milestone.changes_requested' | 'milestone.review_extended' | 'milestone.release_due_soon' | 'milestone.disputed' | 'dispute.opened' | 'dispute.under_review' | 'dispute.resolved' | 'dispute.evidence_added' | 'dispute.due_soon' | 'dispute.overdue' | 'escrow.created' | 'escrow.funding_started' | 'escrow.funded' | 'escrow.milestone_completed' | 'escrow.released' | 'escrow.refunded' | 'topup.created' | 'topup.confirmation_required' | 'topup.processing' | 'topup.succeeded' | 'topup.failed' | 'topup.canceled' | 'withdrawal.created' | 'withdrawal.committed' | 'withdrawal.pending' | 'withdrawal.pending_user_action' | 'withdrawal.completed' | 'withdrawal.failed' | 'withdrawal.canceled' | 'webhook_endpoint.failing' | 'webhook_endpoint.disabled' | 'user.*' | 'balance.*' | 'order.*' | 'milestone.*' | 'dispute.*' | 'escrow.*' | 'topup.*' | 'withdrawal.*' | 'webhook_endpoint.*'>;
        /**
         * Id of the resource of the event
         */
        aggregateId?: string;
    };
    url: '/api/v1/event-log';
};

export type EventsListResponses = {
    /**
     * The record
     */
    200: Event;
};

export type EventsListResponse = EventsListResponses[keyof EventsListResponses];

export type EventsGetData = {
    body?: never;
    path: {
        /**
         * Id with the prefix evt_
         */
        eventId: string;
    };
    query?: never;
    url: '/api/v1/event-log/{eventId}';
};

export type EventsGetResponses = {
    /**
     * The record
     */
    200: Event;
};

export type EventsGetResponse = EventsGetResponses[keyof EventsGetResponses];

export type WebhookEndpointsListData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Page size
         */
        limit?: number;
        /**
         * `nextCursor` of the previous page
         */
        cursor?: string;
        /**
         * Items created after this time
         */
        createdAfter?: string;
        /**
         * Items created before this time
         */
        createdBefore?: string;
    };
    url: '/api/v1/webhook-endpoints';
};

export type WebhookEndpointsListResponses = {
    /**
     * The record
     */
    200: WebhookEndpoint;
};

export type WebhookEndpointsListResponse = WebhookEndpointsListResponses[keyof WebhookEndpointsListResponses];

export type WebhookEndpointsCreateData = {
    body: {
        /**
         * Where events are posted. Every address that its name resolves to must be public
         */
        url: string;
        /**
         * Event types, or such as `order.*`. Empty: all, also those that come later
         */
        types?: Array<'user.created' | 'user.ledger_linked' | 'user.payment_account_linked' | 'balance.credited' | 'balance.debited' | 'balance.reserved' | 'balance.released' | 'order.created' | 'order.funds_reserved' | 'order.escrow_creating' | 'order.escrow_funding' | 'order.escrow_funded' | 'order.in_progress' | 'order.release_requested' | 'order.released' | 'order.refund_requested' | 'order.refunded' | 'order.disputed' | 'order.closed' | 'order.canceled' | 'milestone.released' | 'milestone.refunded' | 'milestone.submitted' | 'milestone.changes_requested' | 'milestone.review_extended' | 'milestone.release_due_soon' | 'milestone.disputed' | 'dispute.opened' | 'dispute.under_review' | 'dispute.resolved' | 'dispute.evidence_added' | 'dispute.due_soon' | 'dispute.overdue' | 'escrow.created' | 'escrow.funding_started' | 'escrow.funded' | 'escrow.milestone_completed' | 'escrow.released' | 'escrow.refunded' | 'topup.created' | 'topup.confirmation_required' | 'topup.processing' | 'topup.succeeded' | 'topup.failed' | 'topup.canceled' | 'withdrawal.created' | 'withdrawal.committed' | 'withdrawal.pending' | 'withdrawal.pending_user_action' | 'withdrawal.completed' | 'withdrawal.failed' | 'withdrawal.canceled' | 'webhook_endpoint.failing' | 'webhook_endpoint.disabled' | 'user.*' | 'balance.*' | 'order.*' | 'milestone.*' | 'dispute.*' | 'escrow.*' | 'topup.*' | 'withdrawal.*' | 'webhook_endpoint.*'>;
        description?: string;
        /**
         * `aggregate`: an event waits until the one before it of the same resource was delivered, given up or canceled. `none`: no event waits
         */
        ordering?: 'aggregate' | 'none';
    };
    path?: never;
    query?: never;
    url: '/api/v1/webhook-endpoints';
};

export type WebhookEndpointsCreateResponses = {
    /**
     * The record
     */
    200: WebhookEndpointWithSecret;
};

export type WebhookEndpointsCreateResponse = WebhookEndpointsCreateResponses[keyof WebhookEndpointsCreateResponses];

export type WebhookEndpointsDeleteData = {
    body?: never;
    path: {
        /**
         * Id with the prefix whk_
         */
        id: string;
    };
    query?: never;
    url: '/api/v1/webhook-endpoints/{id}';
};

export type WebhookEndpointsDeleteResponses = {
    /**
     * The record
     */
    200: WebhookEndpoint;
};

export type WebhookEndpointsDeleteResponse = WebhookEndpointsDeleteResponses[keyof WebhookEndpointsDeleteResponses];

export type WebhookEndpointsGetData = {
    body?: never;
    path: {
        /**
         * Id with the prefix whk_
         */
        id: string;
    };
    query?: never;
    url: '/api/v1/webhook-endpoints/{id}';
};

export type WebhookEndpointsGetResponses = {
    /**
     * The record
     */
    200: WebhookEndpoint;
};

export type WebhookEndpointsGetResponse = WebhookEndpointsGetResponses[keyof WebhookEndpointsGetResponses];

export type WebhookEndpointsUpdateData = {
    body?: {
        /**
         * Where events are posted. Every address that its name resolves to must be public
         */
        url?: string;
        /**
         * Event types, or such as `order.*`. Empty: all, also those that come later
         */
        types?: Array<'user.created' | 'user.ledger_linked' | 'user.payment_account_linked' | 'balance.credited' | 'balance.debited' | 'balance.reserved' | 'balance.released' | 'order.created' | 'order.funds_reserved' | 'order.escrow_creating' | 'order.escrow_funding' | 'order.escrow_funded' | 'order.in_progress' | 'order.release_requested' | 'order.released' | 'order.refund_requested' | 'order.refunded' | 'order.disputed' | 'order.closed' | 'order.canceled' | 'milestone.released' | 'milestone.refunded' | 'milestone.submitted' | 'milestone.changes_requested' | 'milestone.review_extended' | 'milestone.release_due_soon' | 'milestone.disputed' | 'dispute.opened' | 'dispute.under_review' | 'dispute.resolved' | 'dispute.evidence_added' | 'dispute.due_soon' | 'dispute.overdue' | 'escrow.created' | 'escrow.funding_started' | 'escrow.funded' | 'escrow.milestone_completed' | 'escrow.released' | 'escrow.refunded' | 'topup.created' | 'topup.confirmation_required' | 'topup.processing' | 'topup.succeeded' | 'topup.failed' | 'topup.canceled' | 'withdrawal.created' | 'withdrawal.committed' | 'withdrawal.pending' | 'withdrawal.pending_user_action' | 'withdrawal.completed' | 'withdrawal.failed' | 'withdrawal.canceled' | 'webhook_endpoint.failing' | 'webhook_endpoint.disabled' | 'user.*' | 'balance.*' | 'order.*' | 'milestone.*' | 'dispute.*' | 'escrow.*' | 'topup.*' | 'withdrawal.*' | 'webhook_endpoint.*'>;
        description?: string;
        /**
         * `aggregate`: an event waits until the one before it of the same resource was delivered, given up or canceled. `none`: no event waits
         */
        ordering?: 'aggregate' | 'none';
    };
    path: {
        /**
         * Id with the prefix whk_
         */
        id: string;
    };
    query?: never;
    url: '/api/v1/webhook-endpoints/{id}';
};

export type WebhookEndpointsUpdateResponses = {
    /**
     * The record
     */
    200: WebhookEndpoint;
};

export type WebhookEndpointsUpdateResponse = WebhookEndpointsUpdateResponses[keyof WebhookEndpointsUpdateResponses];

export type WebhookEndpointsRotateSecretData = {
    body?: {
        /**
         * How long the previous secret signs, too
         */
        overlapSeconds?: number;
    };
    path: {
        /**
         * Id with the prefix whk_
         */
        id: string;
    };
    query?: never;
    url: '/api/v1/webhook-endpoints/{id}/rotate-secret';
};

export type WebhookEndpointsRotateSecretResponses = {
    /**
     * The record
     */
    200: WebhookEndpointWithSecret;
};

export type WebhookEndpointsRotateSecretResponse = WebhookEndpointsRotateSecretResponses[keyof WebhookEndpointsRotateSecretResponses];

export type WebhookEndpointsTestData = {
    body?: {
        type?: 'user.created' | 'user.ledger_linked' | 'user.payment_account_linked' | 'balance.credited' | 'balance.debited' | 'balance.reserved' | 'balance.released' | 'order.created' | 'order.funds_reserved' | 'order.escrow_creating' | 'order.escrow_funding' | 'order.escrow_funded' | 'order.in_progress' | 'order.release_requested' | 'order.released' | 'order.refund_requested' | 'order.refunded' | 'order.disputed' | 'order.closed' | 'order.canceled' | 'milestone.released' | 'milestone.refunded' | 'milestone.submitted' | 'milestone.changes_requested' | 'milestone.review_extended' | 'milestone.release_due_soon' | 'milestone.disputed' | 'dispute.opened' | 'dispute.under_review' | 'dispute.resolved' | 'dispute.evidence_added' | 'dispute.due_soon' | 'dispute.overdue' | 'escrow.created' | 'escrow.funding_started' | 'escrow.funded' | 'escrow.milestone_completed' | 'escrow.released' | 'escrow.refunded' | 'topup.created' | 'topup.confirmation_required' | 'topup.processing' | 'topup.succeeded' | 'topup.failed' | 'topup.canceled' | 'withdrawal.created' | 'withdrawal.committed' | 'withdrawal.pending' | 'withdrawal.pending_user_action' | 'withdrawal.completed' | 'withdrawal.failed' | 'withdrawal.canceled' | 'webhook_endpoint.failing' | 'webhook_endpoint.disabled';
    };
    path: {
        /**
         * Id with the prefix whk_
         */
        id: string;
    };
    query?: never;
    url: '/api/v1/webhook-endpoints/{id}/test';
};

export type WebhookEndpointsTestResponses = {
    /**
     * The record
     */
    200: WebhookDelivery;
};

export type WebhookEndpointsTestResponse = WebhookEndpointsTestResponses[keyof WebhookEndpointsTestResponses];

export type WebhookEndpointsReplayData = {
    body: {
        /**
         * Events after this time
         */
        since: string;
        /**
         * Events up to this time; by default until now
         */
        until?: string;
        /**
         * Event types, or such as `order.*`. Empty: all, also those that come later
         */
        types?: Array<'user.created' | 'user.ledger_linked' | 'user.payment_account_linked' | 'balance.credited' | 'balance.debited' | 'balance.reserved' | 'balance.released' | 'order.created' | 'order.funds_reserved' | 'order.escrow_creating' | 'order.escrow_funding' | 'order.escrow_funded' | 'order.in_progress' | 'order.release_requested' | 'order.released' | 'order.refund_requested' | 'order.refunded' | 'order.disputed' | 'order.closed' | 'order.canceled' | 'milestone.released' | 'milestone.refunded' | 'milestone.submitted' | 'milestone.changes_requested' | 'milestone.review_extended' | 'milestone.release_due_soon' | 'milestone.disputed' | 'dispute.opened' | 'dispute.under_review' | 'dispute.resolved' | 'dispute.evidence_added' | 'dispute.due_soon' | 'dispute.overdue' | 'escrow.created' | 'escrow.funding_started' | 'escrow.funded' | 'escrow.milestone_completed' | 'escrow.released' | 'escrow.refunded' | 'topup.created' | 'topup.confirmation_required' | 'topup.processing' | 'topup.succeeded' | 'topup.failed' | 'topup.canceled' | 'withdrawal.created' | 'withdrawal.committed' | 'withdrawal.pending' | 'withdrawal.pending_user_action' | 'withdrawal.completed' | 'withdrawal.failed' | 'withdrawal.canceled' | 'webhook_endpoint.failing' | 'webhook_endpoint.disabled' | 'user.*' | 'balance.*' | 'order.*' | 'milestone.*' | 'dispute.*' | 'escrow.*' | 'topup.*' | 'withdrawal.*' | 'webhook_endpoint.*'>;
    };
    path: {
        /**
         * Id with the prefix whk_
         */
        id: string;
    };
    query?: never;
    url: '/api/v1/webhook-endpoints/{id}/replay';
};

export type WebhookEndpointsReplayResponses = {
    /**
     * The record
     */
    200: {
        /**
         * How many events will be delivered
         */
        deliveries: number;
    };
};

export type WebhookEndpointsReplayResponse = WebhookEndpointsReplayResponses[keyof WebhookEndpointsReplayResponses];

export type WebhookEndpointsDisableData = {
    body?: never;
    path: {
        /**
         * Id with the prefix whk_
         */
        id: string;
    };
    query?: never;
    url: '/api/v1/webhook-endpoints/{id}/disable';
};

export type WebhookEndpointsDisableResponses = {
    /**
     * The record
     */
    200: WebhookEndpoint;
};

export type WebhookEndpointsDisableResponse = WebhookEndpointsDisableResponses[keyof WebhookEndpointsDisableResponses];

export type WebhookEndpointsEnableData = {
    body?: {
        replay?: boolean;
    };
    path: {
        /**
         * Id with the prefix whk_
         */
        id: string;
    };
    query?: never;
    url: '/api/v1/webhook-endpoints/{id}/enable';
};

export type WebhookEndpointsEnableResponses = {
    /**
     * The record
     */
    200: WebhookEndpoint;
};

export type WebhookEndpointsEnableResponse = WebhookEndpointsEnableResponses[keyof WebhookEndpointsEnableResponses];

export type WebhookDeliveriesListData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Page size
         */
        limit?: number;
        /**
         * `nextCursor` of the previous page
         */
        cursor?: string;
        /**
         * Items created after this time
         */
        createdAfter?: string;
        /**
         * Items created before this time
         */
        createdBefore?: string;
        /**
         * Id with the prefix whk_
         */
        endpointId?: string;
        /**
         * Id with the prefix evt_
         */
        eventId?: string;
        /**
         * Id of the resource of the event
         */
        aggregateId?: string;
        status?: 'PENDING' | 'RETRYING' | 'DELIVERED' | 'EXHAUSTED' | 'CANCELED';
    };
    url: '/api/v1/webhook-deliveries';
};

export type WebhookDeliveriesListResponses = {
    /**
     * The record
     */
    200: WebhookDelivery;
};

export type WebhookDeliveriesListResponse = WebhookDeliveriesListResponses[keyof WebhookDeliveriesListResponses];

export type WebhookDeliveriesGetData = {
    body?: never;
    path: {
        /**
         * Id with the prefix whd_
         */
        id: string;
    };
    query?: never;
    url: '/api/v1/webhook-deliveries/{id}';
};

export type WebhookDeliveriesGetResponses = {
    /**
     * The record
     */
    200: WebhookDeliveryWithLog;
};

export type WebhookDeliveriesGetResponse = WebhookDeliveriesGetResponses[keyof WebhookDeliveriesGetResponses];

export type WebhookDeliveriesResendData = {
    body?: never;
    path: {
        /**
         * Id with the prefix whd_
         */
        id: string;
    };
    query?: never;
    url: '/api/v1/webhook-deliveries/{id}/resend';
};

export type WebhookDeliveriesResendResponses = {
    /**
     * The record
     */
    200: WebhookDelivery;
};

export type WebhookDeliveriesResendResponse = WebhookDeliveriesResendResponses[keyof WebhookDeliveriesResendResponses];

export type AuditListEntriesData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Page size
         */
        limit?: number;
        /**
         * `nextCursor` of the previous page
         */
        cursor?: string;
        action?: string;
        resourceType?: string;
        /**
         * Also finds entries that have the id among their `relatedIds`
         */
        resourceId?: string;
        actorId?: string;
        result?: 'SUCCESS' | 'FAILURE';
        /**
         * Entries at or after this time
         */
        from?: string;
        /**
         * Entries before this time
         */
        to?: string;
    };
    url: '/api/v1/audit/logs';
};

export type AuditListEntriesResponses = {
    /**
     * The record
     */
    200: AuditEntry;
};

export type AuditListEntriesResponse = AuditListEntriesResponses[keyof AuditListEntriesResponses];

export type AuditVerifyData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/v1/audit/verification';
};

export type AuditVerifyResponses = {
    /**
     * The record
     */
    200: AuditProof;
};

export type AuditVerifyResponse = AuditVerifyResponses[keyof AuditVerifyResponses];

export type SummaryGetData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * First day of the volume, in UTC. Default: 29 days before the last one
         */
        from?: string;
        /**
         * End of the volume; the day of this time is its last one, unless it is midnight. At most 366 days after `from`. Default: now
         */
        to?: string;
    };
    url: '/api/v1/summary';
};

export type SummaryGetResponses = {
    /**
     * The record
     */
    200: Summary;
};

export type SummaryGetResponse = SummaryGetResponses[keyof SummaryGetResponses];

export type AccountsRegisterData = {
    body: {
        /**
         * E-mail address
         */
        email: string;
        /**
         * Password
         */
        password: string;
        /**
         * Display name
         */
        name: string;
    };
    path?: never;
    query?: never;
    url: '/auth/register';
};

export type AccountsRegisterResponses = {
    /**
     * The record
     */
    200: NewAccount;
};

export type AccountsRegisterResponse = AccountsRegisterResponses[keyof AccountsRegisterResponses];

export type AccountsLogInData = {
    body: {
        /**
         * E-mail address
         */
        email: string;
        /**
         * Password
         */
        password: string;
    };
    path?: never;
    query?: never;
    url: '/auth/login';
};

export type AccountsLogInResponses = {
    /**
     * The record
     */
    200: LoggedIn;
};

export type AccountsLogInResponse = AccountsLogInResponses[keyof AccountsLogInResponses];

export type AccountsGetBalancesData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/balances';
};

export type AccountsGetBalancesResponses = {
    /**
     * The record
     */
    200: AccountBalances;
};

export type AccountsGetBalancesResponse = AccountsGetBalancesResponses[keyof AccountsGetBalancesResponses];

export type AccountsListTransactionsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Number of the page
         */
        page?: number;
        /**
         * Page size
         */
        limit?: number;
        /**
         * Currency code
         */
        currency?: 'USD' | 'XLM' | 'USDC';
        /**
         * The `as_of` of the first page
         */
        as_of?: string;
    };
    url: '/balances/transactions';
};

export type AccountsListTransactionsResponses = {
    /**
     * The record
     */
    200: AccountTransaction;
};

export type AccountsListTransactionsResponse = AccountsListTransactionsResponses[keyof AccountsListTransactionsResponses];

export type AccountsConnectWalletData = {
    body: {
        /**
         * Public key of an account on the ledger network
         */
        public_key: string;
    };
    path?: never;
    query?: never;
    url: '/wallets/connect';
};

export type AccountsConnectWalletResponses = {
    /**
     * The record
     */
    200: WalletLink;
};

export type AccountsConnectWalletResponse = AccountsConnectWalletResponses[keyof AccountsConnectWalletResponses];

export type ProjectsListData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Number of the page
         */
        page?: number;
        /**
         * Page size
         */
        limit?: number;
        /**
         * `in_progress` while its escrow holds the money, `completed` once it was released; after a refund it is `open` again
         */
        status?: 'open' | 'in_progress' | 'completed' | 'canceled';
    };
    url: '/projects';
};

export type ProjectsListResponses = {
    /**
     * The record
     */
    200: Project;
};

export type ProjectsListResponse = ProjectsListResponses[keyof ProjectsListResponses];

export type ProjectsCreateData = {
    body: {
        /**
         * Title
         */
        title: string;
        /**
         * Description
         */
        description?: string;
        /**
         * Amount above zero with up to two decimal places
         */
        budget: number;
        /**
         * Currency code
         */
        currency?: 'USD' | 'XLM' | 'USDC';
    };
    path?: never;
    query?: never;
    url: '/projects';
};

export type ProjectsCreateResponses = {
    /**
     * The record
     */
    200: Project;
};

export type ProjectsCreateResponse = ProjectsCreateResponses[keyof ProjectsCreateResponses];

export type ProjectsInitEscrowData = {
    body: {
        /**
         * Id with the prefix prj_
         */
        project_id: string;
        /**
         * User who is paid
         */
        seller_id: string;
        /**
         * Amount above zero with up to two decimal places
         */
        amount: number;
        /**
         * Currency code
         */
        currency: 'USD' | 'XLM' | 'USDC';
    };
    path?: never;
    query?: never;
    url: '/escrow/init';
};

export type ProjectsInitEscrowResponses = {
    /**
     * The record
     */
    200: AccountEscrow;
};

export type ProjectsInitEscrowResponse = ProjectsInitEscrowResponses[keyof ProjectsInitEscrowResponses];

export type ProjectsReleaseEscrowData = {
    body: {
        /**
         * Id with the prefix esc_
         */
        escrow_id: string;
    };
    path?: never;
    query?: never;
    url: '/escrow/release';
};

export type ProjectsReleaseEscrowResponses = {
    /**
     * The record
     */
    200: ReleasedEscrow;
};

export type ProjectsReleaseEscrowResponse = ProjectsReleaseEscrowResponses[keyof ProjectsReleaseEscrowResponses];

export type ProjectsUpdateData = {
    body: {
        /**
         * The new status
         */
        status: 'canceled';
    };
    path: {
        /**
         * Id with the prefix prj_
         */
        id: string;
    };
    query?: never;
    url: '/projects/{id}';
};

export type ProjectsUpdateResponses = {
    /**
     * The record
     */
    200: Project;
};

export type ProjectsUpdateResponse = ProjectsUpdateResponses[keyof ProjectsUpdateResponses];

export type OperationsListSagasData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Page size
         */
        limit?: number;
        /**
         * `nextCursor` of the previous page
         */
        cursor?: string;
        /**
         * Only runs in this state
         */
        state?: 'RUNNING' | 'RETRYING' | 'OVERDUE' | 'CONTRADICTED';
        /**
         * Only runs of this saga
         */
        saga?: string;
        /**
         * Only runs of this order, top-up, withdrawal or case
         */
        aggregateId?: string;
    };
    url: '/api/v1/operations/sagas';
};

export type OperationsListSagasResponses = {
    /**
     * The record
     */
    200: SagaRunPage;
};

export type OperationsListSagasResponse = OperationsListSagasResponses[keyof OperationsListSagasResponses];

export type OperationsGetSagaData = {
    body?: never;
    path: {
        /**
         * Id with the prefix run_
         */
        id: string;
    };
    query?: never;
    url: '/api/v1/operations/sagas/{id}';
};

export type OperationsGetSagaResponses = {
    /**
     * The record
     */
    200: SagaRun;
};

export type OperationsGetSagaResponse = OperationsGetSagaResponses[keyof OperationsGetSagaResponses];

export type OperationsRedriveSagaData = {
    body: {
        /**
         * The person; the audit log names them
         */
        by: string;
        /**
         * Why; the audit log says it
         */
        reason: string;
    };
    path: {
        /**
         * Id with the prefix run_
         */
        id: string;
    };
    query?: never;
    url: '/api/v1/operations/sagas/{id}/redrive';
};

export type OperationsRedriveSagaResponses = {
    /**
     * The record
     */
    200: SagaRun;
};

export type OperationsRedriveSagaResponse = OperationsRedriveSagaResponses[keyof OperationsRedriveSagaResponses];

export type OperationsListParkedMessagesData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Only messages of this service
         */
        service?: 'identity' | 'ledger-balance' | 'orders' | 'escrow-adapter' | 'payments' | 'notifications';
    };
    url: '/api/v1/operations/parked-messages';
};

export type OperationsListParkedMessagesResponses = {
    /**
     * The record
     */
    200: ParkedMessages;
};

export type OperationsListParkedMessagesResponse = OperationsListParkedMessagesResponses[keyof OperationsListParkedMessagesResponses];

export type OperationsRedriveParkedMessagesData = {
    body: {
        /**
         * Service of the platform
         */
        service: 'identity' | 'ledger-balance' | 'orders' | 'escrow-adapter' | 'payments' | 'notifications';
        /**
         * Only these messages
         */
        messageIds?: Array<string>;
        /**
         * The person; the audit log names them
         */
        by: string;
        /**
         * Why; the audit log says it
         */
        reason: string;
    };
    path?: never;
    query?: never;
    url: '/api/v1/operations/parked-messages/redrive';
};

export type OperationsRedriveParkedMessagesResponses = {
    /**
     * The record
     */
    200: RedrivenMessages;
};

export type OperationsRedriveParkedMessagesResponse = OperationsRedriveParkedMessagesResponses[keyof OperationsRedriveParkedMessagesResponses];

export type OperationsGetProvidersData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/v1/operations/providers';
};

export type OperationsGetProvidersResponses = {
    /**
     * The record
     */
    200: ProviderControls;
};

export type OperationsGetProvidersResponse = OperationsGetProvidersResponses[keyof OperationsGetProvidersResponses];

export type OperationsGetTreasuryData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/v1/operations/treasury';
};

export type OperationsGetTreasuryResponses = {
    /**
     * The record
     */
    200: Treasury;
};

export type OperationsGetTreasuryResponse = OperationsGetTreasuryResponses[keyof OperationsGetTreasuryResponses];

export type OperationsGetLedgerProofData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/v1/operations/ledger-proof';
};

export type OperationsGetLedgerProofResponses = {
    /**
     * The record
     */
    200: LedgerProof;
};

export type OperationsGetLedgerProofResponse = OperationsGetLedgerProofResponses[keyof OperationsGetLedgerProofResponses];

export type OperationsSetEmergencyStopData = {
    body: {
        /**
         * False resumes
         */
        isStopped: boolean;
        /**
         * The person; the audit log names them
         */
        by: string;
        /**
         * Why; the audit log says it
         */
        reason: string;
    };
    path?: never;
    query?: never;
    url: '/api/v1/operations/emergency-stop';
};

export type OperationsSetEmergencyStopResponses = {
    /**
     * The record
     */
    200: EmergencyStop;
};

export type OperationsSetEmergencyStopResponse = OperationsSetEmergencyStopResponses[keyof OperationsSetEmergencyStopResponses];

export type SandboxConfirmTopupData = {
    body?: {
        /**
         * Another amount than the top-up asks for
         */
        amount?: string;
        /**
         * Another payer; null: one who is not named
         */
        payerEmail?: string | null;
    };
    path: {
        /**
         * Id with the prefix topup_
         */
        id: string;
    };
    query?: never;
    url: '/api/v1/sandbox/topups/{id}/confirm';
};

export type SandboxConfirmTopupResponses = {
    /**
     * The record
     */
    200: TopUp;
};

export type SandboxConfirmTopupResponse = SandboxConfirmTopupResponses[keyof SandboxConfirmTopupResponses];

export type SandboxFailTopupData = {
    body?: {
        /**
         * What the provider gives as the reason
         */
        reason?: string;
    };
    path: {
        /**
         * Id with the prefix topup_
         */
        id: string;
    };
    query?: never;
    url: '/api/v1/sandbox/topups/{id}/fail';
};

export type SandboxFailTopupResponses = {
    /**
     * The record
     */
    200: TopUp;
};

export type SandboxFailTopupResponse = SandboxFailTopupResponses[keyof SandboxFailTopupResponses];

export type SandboxCancelTopupData = {
    body?: {
        /**
         * What the provider gives as the reason
         */
        reason?: string;
    };
    path: {
        /**
         * Id with the prefix topup_
         */
        id: string;
    };
    query?: never;
    url: '/api/v1/sandbox/topups/{id}/cancel';
};

export type SandboxCancelTopupResponses = {
    /**
     * The record
     */
    200: TopUp;
};

export type SandboxCancelTopupResponse = SandboxCancelTopupResponses[keyof SandboxCancelTopupResponses];

export type SandboxCompleteWithdrawalData = {
    body?: never;
    path: {
        /**
         * Id with the prefix wd_
         */
        id: string;
    };
    query?: never;
    url: '/api/v1/sandbox/withdrawals/{id}/complete';
};

export type SandboxCompleteWithdrawalResponses = {
    /**
     * The record
     */
    200: Withdrawal;
};

export type SandboxCompleteWithdrawalResponse = SandboxCompleteWithdrawalResponses[keyof SandboxCompleteWithdrawalResponses];

export type SandboxFailWithdrawalData = {
    body?: {
        /**
         * What the provider gives as the reason
         */
        reason?: string;
    };
    path: {
        /**
         * Id with the prefix wd_
         */
        id: string;
    };
    query?: never;
    url: '/api/v1/sandbox/withdrawals/{id}/fail';
};

export type SandboxFailWithdrawalResponses = {
    /**
     * The record
     */
    200: Withdrawal;
};

export type SandboxFailWithdrawalResponse = SandboxFailWithdrawalResponses[keyof SandboxFailWithdrawalResponses];

export type SandboxRequireActionData = {
    body?: {
        /**
         * What the provider gives as the reason
         */
        reason?: string;
    };
    path: {
        /**
         * Id with the prefix wd_
         */
        id: string;
    };
    query?: never;
    url: '/api/v1/sandbox/withdrawals/{id}/require-action';
};

export type SandboxRequireActionResponses = {
    /**
     * The record
     */
    200: Withdrawal;
};

export type SandboxRequireActionResponse = SandboxRequireActionResponses[keyof SandboxRequireActionResponses];

export type SandboxResumeWithdrawalData = {
    body?: never;
    path: {
        /**
         * Id with the prefix wd_
         */
        id: string;
    };
    query?: never;
    url: '/api/v1/sandbox/withdrawals/{id}/resume';
};

export type SandboxResumeWithdrawalResponses = {
    /**
     * The record
     */
    200: Withdrawal;
};

export type SandboxResumeWithdrawalResponse = SandboxResumeWithdrawalResponses[keyof SandboxResumeWithdrawalResponses];

export type SandboxDropCoinsData = {
    body: {
        /**
         * Resource id
         */
        userId: string;
        asset?: 'USDC' | 'XLM';
        /**
         * Decimal string above zero with up to 7 decimal places
         */
        amount: string;
    };
    path?: never;
    query?: never;
    url: '/api/v1/sandbox/faucet';
};

export type SandboxDropCoinsResponses = {
    /**
     * The record
     */
    200: {
        /**
         * Id with the prefix usr_
         */
        userId: string;
        address: string;
        asset: 'USDC' | 'XLM';
        amount: string;
    };
};

export type SandboxDropCoinsResponse = SandboxDropCoinsResponses[keyof SandboxDropCoinsResponses];

export type SandboxClearFaultsData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/v1/sandbox/faults';
};

export type SandboxClearFaultsResponses = {
    /**
     * The record
     */
    200: SandboxFaults;
};

export type SandboxClearFaultsResponse = SandboxClearFaultsResponses[keyof SandboxClearFaultsResponses];

export type SandboxListFaultsData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/v1/sandbox/faults';
};

export type SandboxListFaultsResponses = {
    /**
     * The record
     */
    200: SandboxFaults;
};

export type SandboxListFaultsResponse = SandboxListFaultsResponses[keyof SandboxListFaultsResponses];

export type SandboxAddFaultData = {
    body: {
        target: 'escrow-provider' | 'ledger-network' | 'payment-provider';
        /**
         * Left out: every operation
         */
        operation?: 'deploy' | 'fund' | 'complete' | 'approve' | 'release' | 'dispute' | 'resolve' | 'submit' | 'history' | 'root' | 'create-payin' | 'create-payout' | 'commit' | 'read';
        kind: 'latency' | 'error-before-effect' | 'rate-limited' | 'malformed' | 'error-after-effect' | 'timeout-after-effect';
        /**
         * How often it strikes
         */
        times?: number;
        /**
         * How long a kind that waits does so
         */
        latencyMs?: number;
    };
    path?: never;
    query?: never;
    url: '/api/v1/sandbox/faults';
};

export type SandboxAddFaultResponses = {
    /**
     * The record
     */
    200: SandboxFaults;
};

export type SandboxAddFaultResponse = SandboxAddFaultResponses[keyof SandboxAddFaultResponses];

export type UserCreatedWebhookPayload = Event & {
    eventType?: 'user.created';
    aggregateType?: 'User';
    payload?: {
        /**
         * Id with the prefix usr_
         */
        userId: string;
        /**
         * The marketplace's own id for the user
         */
        externalUserId: string;
        email?: string;
        type: 'BUYER' | 'SELLER' | 'BOTH';
        status: 'ACTIVE' | 'SUSPENDED';
    };
};

export type UserCreatedWebhookRequest = {
    body: UserCreatedWebhookPayload;
    key: 'user.created';
    path?: never;
    query?: never;
};

export type UserLedgerLinkedWebhookPayload = Event & {
    eventType?: 'user.ledger_linked';
    aggregateType?: 'User';
    payload?: {
        /**
         * Id with the prefix usr_
         */
        userId: string;
        ledgerAddress: string;
        /**
         * `INVISIBLE`: created for the user, who has one; the platform holds its key. `EXTERNAL`: linked by the user, who holds its key; money can be withdrawn to it
         */
        walletType: 'INVISIBLE' | 'EXTERNAL';
        /**
         * ISO 8601 timestamp in UTC with microseconds
         */
        linkedAt: string;
    };
};

export type UserLedgerLinkedWebhookRequest = {
    body: UserLedgerLinkedWebhookPayload;
    key: 'user.ledger_linked';
    path?: never;
    query?: never;
};

export type UserPaymentAccountLinkedWebhookPayload = Event & {
    eventType?: 'user.payment_account_linked';
    aggregateType?: 'User';
    payload?: {
        /**
         * Id with the prefix usr_
         */
        userId: string;
        /**
         * The user's id at the payment provider
         */
        paymentAccountUserId: string;
        /**
         * ISO 8601 timestamp in UTC with microseconds
         */
        linkedAt: string;
    };
};

export type UserPaymentAccountLinkedWebhookRequest = {
    body: UserPaymentAccountLinkedWebhookPayload;
    key: 'user.payment_account_linked';
    path?: never;
    query?: never;
};

export type BalanceCreditedWebhookPayload = Event & {
    eventType?: 'balance.credited';
    aggregateType?: 'Balance';
    payload?: {
        /**
         * Id with the prefix usr_
         */
        userId: string;
        /**
         * Decimal string with at least two decimal places
         */
        amount: string;
        /**
         * Currency code
         */
        currency: 'USD' | 'USDC' | 'XLM';
        /**
         * Type of the source or destination
         */
        source: string;
        /**
         * Id of the source or destination
         */
        sourceId?: string;
        /**
         * Decimal string with at least two decimal places
         */
        previousAvailableBalance: string;
        /**
         * Decimal string with at least two decimal places
         */
        newAvailableBalance: string;
    };
};

export type BalanceCreditedWebhookRequest = {
    body: BalanceCreditedWebhookPayload;
    key: 'balance.credited';
    path?: never;
    query?: never;
};

export type BalanceDebitedWebhookPayload = Event & {
    eventType?: 'balance.debited';
    aggregateType?: 'Balance';
    payload?: {
        /**
         * Id with the prefix usr_
         */
        userId: string;
        /**
         * Decimal string with at least two decimal places
         */
        amount: string;
        /**
         * Currency code
         */
        currency: 'USD' | 'USDC' | 'XLM';
        /**
         * Type of the source or destination
         */
        destination: string;
        /**
         * Id of the source or destination
         */
        destinationId?: string;
        /**
         * Decimal string with at least two decimal places
         */
        previousAvailableBalance: string;
        /**
         * Decimal string with at least two decimal places
         */
        newAvailableBalance: string;
    };
};

export type BalanceDebitedWebhookRequest = {
    body: BalanceDebitedWebhookPayload;
    key: 'balance.debited';
    path?: never;
    query?: never;
};

export type BalanceReservedWebhookPayload = Event & {
    eventType?: 'balance.reserved';
    aggregateType?: 'Balance';
    payload?: {
        /**
         * Id with the prefix usr_
         */
        userId: string;
        /**
         * Decimal string with at least two decimal places
         */
        amount: string;
        /**
         * Currency code
         */
        currency: 'USD' | 'USDC' | 'XLM';
        orderId: string | null;
        /**
         * Present if the amount belongs to a withdrawal
         */
        withdrawalId?: string;
        /**
         * Decimal string with at least two decimal places
         */
        previousReservedBalance: string;
        /**
         * Decimal string with at least two decimal places
         */
        newReservedBalance: string;
        /**
         * Decimal string with at least two decimal places
         */
        previousAvailableBalance: string;
        /**
         * Decimal string with at least two decimal places
         */
        newAvailableBalance: string;
    };
};

export type BalanceReservedWebhookRequest = {
    body: BalanceReservedWebhookPayload;
    key: 'balance.reserved';
    path?: never;
    query?: never;
};

export type BalanceReleasedWebhookPayload = Event & {
    eventType?: 'balance.released';
    aggregateType?: 'Balance';
    payload?: {
        /**
         * Id with the prefix usr_
         */
        userId: string;
        /**
         * Decimal string with at least two decimal places
         */
        amount: string;
        /**
         * Currency code
         */
        currency: 'USD' | 'USDC' | 'XLM';
        orderId: string | null;
        /**
         * Present if the amount belongs to a withdrawal
         */
        withdrawalId?: string;
        reason: string;
        /**
         * Decimal string with at least two decimal places
         */
        previousReservedBalance: string;
        /**
         * Decimal string with at least two decimal places
         */
        newReservedBalance: string;
        /**
         * Decimal string with at least two decimal places
         */
        previousAvailableBalance: string;
        /**
         * Decimal string with at least two decimal places
         */
        newAvailableBalance: string;
    };
};

export type BalanceReleasedWebhookRequest = {
    body: BalanceReleasedWebhookPayload;
    key: 'balance.released';
    path?: never;
    query?: never;
};

export type OrderCreatedWebhookPayload = Event & {
    eventType?: 'order.created';
    aggregateType?: 'Order';
    payload?: {
        /**
         * Id with the prefix ord_
         */
        orderId: string;
        /**
         * Id with the prefix usr_
         */
        buyerId: string;
        /**
         * Id with the prefix usr_
         */
        sellerId: string;
        /**
         * Decimal string with at least two decimal places
         */
        amount: string;
        /**
         * Currency code
         */
        currency: 'USD' | 'USDC' | 'XLM';
        title: string;
        description?: string;
        clientOrderRef?: string;
    };
};

export type OrderCreatedWebhookRequest = {
    body: OrderCreatedWebhookPayload;
    key: 'order.created';
    path?: never;
    query?: never;
};

export type OrderFundsReservedWebhookPayload = Event & {
    eventType?: 'order.funds_reserved';
    aggregateType?: 'Order';
    payload?: {
        /**
         * Id with the prefix ord_
         */
        orderId: string;
        /**
         * Id with the prefix usr_
         */
        buyerId: string;
        /**
         * Decimal string with at least two decimal places
         */
        amount: string;
        /**
         * Currency code
         */
        currency: 'USD' | 'USDC' | 'XLM';
        /**
         * Decimal string with at least two decimal places
         */
        reservedBalance: string;
        /**
         * Decimal string with at least two decimal places
         */
        availableBalance: string;
    };
};

export type OrderFundsReservedWebhookRequest = {
    body: OrderFundsReservedWebhookPayload;
    key: 'order.funds_reserved';
    path?: never;
    query?: never;
};

export type OrderEscrowCreatingWebhookPayload = Event & {
    eventType?: 'order.escrow_creating';
    aggregateType?: 'Order';
    payload?: {
        /**
         * Id with the prefix ord_
         */
        orderId: string;
        /**
         * Id with the prefix esc_
         */
        escrowId: string;
        /**
         * Decimal string with at least two decimal places
         */
        amount: string;
    };
};

export type OrderEscrowCreatingWebhookRequest = {
    body: OrderEscrowCreatingWebhookPayload;
    key: 'order.escrow_creating';
    path?: never;
    query?: never;
};

export type OrderEscrowFundingWebhookPayload = Event & {
    eventType?: 'order.escrow_funding';
    aggregateType?: 'Order';
    payload?: {
        /**
         * Id with the prefix ord_
         */
        orderId: string;
        /**
         * Id with the prefix esc_
         */
        escrowId: string;
        /**
         * Contract address on the ledger network
         */
        providerContractId: string;
        /**
         * Decimal string with at least two decimal places
         */
        amount: string;
    };
};

export type OrderEscrowFundingWebhookRequest = {
    body: OrderEscrowFundingWebhookPayload;
    key: 'order.escrow_funding';
    path?: never;
    query?: never;
};

export type OrderEscrowFundedWebhookPayload = Event & {
    eventType?: 'order.escrow_funded';
    aggregateType?: 'Order';
    payload?: {
        /**
         * Id with the prefix ord_
         */
        orderId: string;
        /**
         * Id with the prefix esc_
         */
        escrowId: string;
        /**
         * Contract address on the ledger network
         */
        providerContractId: string;
        /**
         * Decimal string with at least two decimal places
         */
        amount: string;
        /**
         * ISO 8601 timestamp in UTC with microseconds
         */
        fundedAt: string;
    };
};

export type OrderEscrowFundedWebhookRequest = {
    body: OrderEscrowFundedWebhookPayload;
    key: 'order.escrow_funded';
    path?: never;
    query?: never;
};

export type OrderInProgressWebhookPayload = Event & {
    eventType?: 'order.in_progress';
    aggregateType?: 'Order';
    payload?: {
        /**
         * Id with the prefix ord_
         */
        orderId: string;
        /**
         * Id with the prefix esc_
         */
        escrowId: string;
    };
};

export type OrderInProgressWebhookRequest = {
    body: OrderInProgressWebhookPayload;
    key: 'order.in_progress';
    path?: never;
    query?: never;
};

export type OrderReleaseRequestedWebhookPayload = Event & {
    eventType?: 'order.release_requested';
    aggregateType?: 'Order';
    payload?: {
        /**
         * Id with the prefix ord_
         */
        orderId: string;
        /**
         * Id of a user or an API key, `master` or `timer`
         */
        requestedBy: string;
        /**
         * ISO 8601 timestamp in UTC with microseconds
         */
        requestedAt: string;
        /**
         * Present if a timer caused it: no party objected in time, or nothing was delivered in time
         */
        cause?: 'review_period' | 'not_delivered';
    };
};

export type OrderReleaseRequestedWebhookRequest = {
    body: OrderReleaseRequestedWebhookPayload;
    key: 'order.release_requested';
    path?: never;
    query?: never;
};

export type OrderReleasedWebhookPayload = Event & {
    eventType?: 'order.released';
    aggregateType?: 'Order';
    payload?: {
        /**
         * Id with the prefix ord_
         */
        orderId: string;
        /**
         * Id with the prefix usr_
         */
        sellerId: string;
        /**
         * Decimal string with at least two decimal places
         */
        amount: string;
        /**
         * Currency code
         */
        currency: 'USD' | 'USDC' | 'XLM';
        /**
         * Decimal string with at least two decimal places
         */
        platformFee: string;
        /**
         * Decimal string with at least two decimal places
         */
        netAmount: string;
        /**
         * ISO 8601 timestamp in UTC with microseconds
         */
        releasedAt: string;
        /**
         * Decimal string with at least two decimal places
         */
        newSellerBalance: string;
    };
};

export type OrderReleasedWebhookRequest = {
    body: OrderReleasedWebhookPayload;
    key: 'order.released';
    path?: never;
    query?: never;
};

export type OrderRefundRequestedWebhookPayload = Event & {
    eventType?: 'order.refund_requested';
    aggregateType?: 'Order';
    payload?: {
        /**
         * Id with the prefix ord_
         */
        orderId: string;
        /**
         * Id of a user or an API key, `master` or `timer`
         */
        requestedBy: string;
        /**
         * ISO 8601 timestamp in UTC with microseconds
         */
        requestedAt: string;
        /**
         * Present if a timer caused it: no party objected in time, or nothing was delivered in time
         */
        cause?: 'review_period' | 'not_delivered';
    };
};

export type OrderRefundRequestedWebhookRequest = {
    body: OrderRefundRequestedWebhookPayload;
    key: 'order.refund_requested';
    path?: never;
    query?: never;
};

export type OrderRefundedWebhookPayload = Event & {
    eventType?: 'order.refunded';
    aggregateType?: 'Order';
    payload?: {
        /**
         * Id with the prefix ord_
         */
        orderId: string;
        /**
         * Id with the prefix usr_
         */
        buyerId: string;
        /**
         * Decimal string with at least two decimal places
         */
        amount: string;
        /**
         * Currency code
         */
        currency: 'USD' | 'USDC' | 'XLM';
        /**
         * ISO 8601 timestamp in UTC with microseconds
         */
        refundedAt: string;
        /**
         * Decimal string with at least two decimal places
         */
        newBuyerBalance: string;
    };
};

export type OrderRefundedWebhookRequest = {
    body: OrderRefundedWebhookPayload;
    key: 'order.refunded';
    path?: never;
    query?: never;
};

export type OrderDisputedWebhookPayload = Event & {
    eventType?: 'order.disputed';
    aggregateType?: 'Order';
    payload?: {
        /**
         * Id with the prefix ord_
         */
        orderId: string;
        /**
         * Id with the prefix dsp_
         */
        disputeId: string;
        openedBy: 'BUYER' | 'SELLER';
        reason: 'NOT_DELIVERED' | 'QUALITY_ISSUE' | 'OTHER';
        /**
         * ISO 8601 timestamp in UTC with microseconds
         */
        openedAt: string;
    };
};

export type OrderDisputedWebhookRequest = {
    body: OrderDisputedWebhookPayload;
    key: 'order.disputed';
    path?: never;
    query?: never;
};

export type OrderClosedWebhookPayload = Event & {
    eventType?: 'order.closed';
    aggregateType?: 'Order';
    payload?: {
        /**
         * Id with the prefix ord_
         */
        orderId: string;
        finalStatus: 'RELEASED' | 'REFUNDED' | 'SPLIT' | 'CANCELED';
        /**
         * ISO 8601 timestamp in UTC with microseconds
         */
        closedAt: string;
    };
};

export type OrderClosedWebhookRequest = {
    body: OrderClosedWebhookPayload;
    key: 'order.closed';
    path?: never;
    query?: never;
};

export type OrderCanceledWebhookPayload = Event & {
    eventType?: 'order.canceled';
    aggregateType?: 'Order';
    payload?: {
        /**
         * Id with the prefix ord_
         */
        orderId: string;
        /**
         * Id with the prefix usr_
         */
        buyerId: string;
        /**
         * Id of a user or an API key, `master` or `timer`
         */
        canceledBy: string;
        reason?: string;
        /**
         * ISO 8601 timestamp in UTC with microseconds
         */
        canceledAt: string;
        fundsReleased: boolean;
    };
};

export type OrderCanceledWebhookRequest = {
    body: OrderCanceledWebhookPayload;
    key: 'order.canceled';
    path?: never;
    query?: never;
};

export type MilestoneReleasedWebhookPayload = Event & {
    eventType?: 'milestone.released';
    aggregateType?: 'Order';
    payload?: {
        /**
         * Id with the prefix ord_
         */
        orderId: string;
        /**
         * Id with the prefix esc_
         */
        escrowId: string;
        milestoneRef: string;
        /**
         * Decimal string with at least two decimal places
         */
        amount: string;
        /**
         * Decimal string with at least two decimal places
         */
        platformFee: string;
        /**
         * Amount paid to the seller
         */
        netAmount: string;
        /**
         * ISO 8601 timestamp in UTC with microseconds
         */
        releasedAt: string;
        /**
         * Null if a caller requested it; `review_period` after a review that ended in silence
         */
        cause: 'review_period' | 'dispute' | null;
    };
};

export type MilestoneReleasedWebhookRequest = {
    body: MilestoneReleasedWebhookPayload;
    key: 'milestone.released';
    path?: never;
    query?: never;
};

export type MilestoneRefundedWebhookPayload = Event & {
    eventType?: 'milestone.refunded';
    aggregateType?: 'Order';
    payload?: {
        /**
         * Id with the prefix ord_
         */
        orderId: string;
        /**
         * Id with the prefix esc_
         */
        escrowId: string;
        milestoneRef: string;
        /**
         * Decimal string with at least two decimal places
         */
        amount: string;
        /**
         * ISO 8601 timestamp in UTC with microseconds
         */
        refundedAt: string;
        /**
         * Null if a caller requested it; `review_period` after a review that ended in silence
         */
        cause: 'review_period' | 'dispute' | null;
    };
};

export type MilestoneRefundedWebhookRequest = {
    body: MilestoneRefundedWebhookPayload;
    key: 'milestone.refunded';
    path?: never;
    query?: never;
};

export type MilestoneSubmittedWebhookPayload = Event & {
    eventType?: 'milestone.submitted';
    aggregateType?: 'Order';
    payload?: {
        /**
         * Id with the prefix ord_
         */
        orderId: string;
        milestoneRef: string;
        milestoneStatus: 'OPEN' | 'SUBMITTED' | 'COMPLETED' | 'DISPUTED' | 'RELEASED' | 'REFUNDED' | 'SPLIT';
        /**
         * ISO 8601 timestamp in UTC with microseconds
         */
        at: string;
        /**
         * When the milestone is released unless a party objects
         */
        dueAt?: string;
    };
};

export type MilestoneSubmittedWebhookRequest = {
    body: MilestoneSubmittedWebhookPayload;
    key: 'milestone.submitted';
    path?: never;
    query?: never;
};

export type MilestoneChangesRequestedWebhookPayload = Event & {
    eventType?: 'milestone.changes_requested';
    aggregateType?: 'Order';
    payload?: {
        /**
         * Id with the prefix ord_
         */
        orderId: string;
        milestoneRef: string;
        milestoneStatus: 'OPEN' | 'SUBMITTED' | 'COMPLETED' | 'DISPUTED' | 'RELEASED' | 'REFUNDED' | 'SPLIT';
        /**
         * ISO 8601 timestamp in UTC with microseconds
         */
        at: string;
    };
};

export type MilestoneChangesRequestedWebhookRequest = {
    body: MilestoneChangesRequestedWebhookPayload;
    key: 'milestone.changes_requested';
    path?: never;
    query?: never;
};

export type MilestoneReviewExtendedWebhookPayload = Event & {
    eventType?: 'milestone.review_extended';
    aggregateType?: 'Order';
    payload?: {
        /**
         * Id with the prefix ord_
         */
        orderId: string;
        milestoneRef: string;
        milestoneStatus: 'OPEN' | 'SUBMITTED' | 'COMPLETED' | 'DISPUTED' | 'RELEASED' | 'REFUNDED' | 'SPLIT';
        /**
         * ISO 8601 timestamp in UTC with microseconds
         */
        at: string;
        /**
         * When the milestone is released unless a party objects
         */
        dueAt: string;
        /**
         * Present if an outage of the platform caused it
         */
        cause?: 'outage';
    };
};

export type MilestoneReviewExtendedWebhookRequest = {
    body: MilestoneReviewExtendedWebhookPayload;
    key: 'milestone.review_extended';
    path?: never;
    query?: never;
};

export type MilestoneReleaseDueSoonWebhookPayload = Event & {
    eventType?: 'milestone.release_due_soon';
    aggregateType?: 'Order';
    payload?: {
        /**
         * Id with the prefix ord_
         */
        orderId: string;
        milestoneRef: string;
        milestoneStatus: 'OPEN' | 'SUBMITTED' | 'COMPLETED' | 'DISPUTED' | 'RELEASED' | 'REFUNDED' | 'SPLIT';
        /**
         * ISO 8601 timestamp in UTC with microseconds
         */
        at: string;
        /**
         * When the milestone is released unless a party objects
         */
        dueAt: string;
    };
};

export type MilestoneReleaseDueSoonWebhookRequest = {
    body: MilestoneReleaseDueSoonWebhookPayload;
    key: 'milestone.release_due_soon';
    path?: never;
    query?: never;
};

export type MilestoneDisputedWebhookPayload = Event & {
    eventType?: 'milestone.disputed';
    aggregateType?: 'Order';
    payload?: {
        /**
         * Id with the prefix ord_
         */
        orderId: string;
        milestoneRef: string;
        milestoneStatus: 'OPEN' | 'SUBMITTED' | 'COMPLETED' | 'DISPUTED' | 'RELEASED' | 'REFUNDED' | 'SPLIT';
        /**
         * ISO 8601 timestamp in UTC with microseconds
         */
        at: string;
    };
};

export type MilestoneDisputedWebhookRequest = {
    body: MilestoneDisputedWebhookPayload;
    key: 'milestone.disputed';
    path?: never;
    query?: never;
};

export type DisputeOpenedWebhookPayload = Event & {
    eventType?: 'dispute.opened';
    aggregateType?: 'Dispute';
    payload?: {
        /**
         * Id with the prefix dsp_
         */
        disputeId: string;
        /**
         * Id with the prefix ord_
         */
        orderId: string;
        openedBy: 'BUYER' | 'SELLER';
        reason: 'NOT_DELIVERED' | 'QUALITY_ISSUE' | 'OTHER';
        evidence?: Array<string>;
        /**
         * ISO 8601 timestamp in UTC with microseconds
         */
        openedAt: string;
        /**
         * Present if the dispute is about one milestone
         */
        milestoneRef?: string;
    };
};

export type DisputeOpenedWebhookRequest = {
    body: DisputeOpenedWebhookPayload;
    key: 'dispute.opened';
    path?: never;
    query?: never;
};

export type DisputeUnderReviewWebhookPayload = Event & {
    eventType?: 'dispute.under_review';
    aggregateType?: 'Dispute';
    payload?: {
        /**
         * Id with the prefix dsp_
         */
        disputeId: string;
        /**
         * Id with the prefix ord_
         */
        orderId: string;
        reviewedBy?: string;
        /**
         * ISO 8601 timestamp in UTC with microseconds
         */
        reviewStartedAt: string;
    };
};

export type DisputeUnderReviewWebhookRequest = {
    body: DisputeUnderReviewWebhookPayload;
    key: 'dispute.under_review';
    path?: never;
    query?: never;
};

export type DisputeResolvedWebhookPayload = Event & {
    eventType?: 'dispute.resolved';
    aggregateType?: 'Dispute';
    payload?: {
        /**
         * Id with the prefix dsp_
         */
        disputeId: string;
        /**
         * Id with the prefix ord_
         */
        orderId: string;
        decision: 'FULL_RELEASE' | 'FULL_REFUND' | 'SPLIT';
        decisionNote?: string;
        resolvedBy: string;
        /**
         * ISO 8601 timestamp in UTC with microseconds
         */
        resolvedAt: string;
        /**
         * Decimal string with at least two decimal places
         */
        buyerAmount?: string;
        /**
         * Decimal string with at least two decimal places
         */
        sellerAmount?: string;
    };
};

export type DisputeResolvedWebhookRequest = {
    body: DisputeResolvedWebhookPayload;
    key: 'dispute.resolved';
    path?: never;
    query?: never;
};

export type DisputeEvidenceAddedWebhookPayload = Event & {
    eventType?: 'dispute.evidence_added';
    aggregateType?: 'Dispute';
    payload?: {
        /**
         * Id with the prefix dsp_
         */
        disputeId: string;
        /**
         * Id with the prefix ord_
         */
        orderId: string;
        /**
         * Present if the dispute is about one milestone
         */
        milestoneRef?: string;
        /**
         * ISO 8601 timestamp in UTC with microseconds
         */
        at: string;
        /**
         * The deadline: `respondBy` or `decideBy` of the dispute
         */
        dueAt?: string;
    };
};

export type DisputeEvidenceAddedWebhookRequest = {
    body: DisputeEvidenceAddedWebhookPayload;
    key: 'dispute.evidence_added';
    path?: never;
    query?: never;
};

export type DisputeDueSoonWebhookPayload = Event & {
    eventType?: 'dispute.due_soon';
    aggregateType?: 'Dispute';
    payload?: {
        /**
         * Id with the prefix dsp_
         */
        disputeId: string;
        /**
         * Id with the prefix ord_
         */
        orderId: string;
        /**
         * Present if the dispute is about one milestone
         */
        milestoneRef?: string;
        /**
         * ISO 8601 timestamp in UTC with microseconds
         */
        at: string;
        /**
         * The deadline: `respondBy` or `decideBy` of the dispute
         */
        dueAt: string;
    };
};

export type DisputeDueSoonWebhookRequest = {
    body: DisputeDueSoonWebhookPayload;
    key: 'dispute.due_soon';
    path?: never;
    query?: never;
};

export type DisputeOverdueWebhookPayload = Event & {
    eventType?: 'dispute.overdue';
    aggregateType?: 'Dispute';
    payload?: {
        /**
         * Id with the prefix dsp_
         */
        disputeId: string;
        /**
         * Id with the prefix ord_
         */
        orderId: string;
        /**
         * Present if the dispute is about one milestone
         */
        milestoneRef?: string;
        /**
         * ISO 8601 timestamp in UTC with microseconds
         */
        at: string;
        /**
         * The deadline: `respondBy` or `decideBy` of the dispute
         */
        dueAt: string;
    };
};

export type DisputeOverdueWebhookRequest = {
    body: DisputeOverdueWebhookPayload;
    key: 'dispute.overdue';
    path?: never;
    query?: never;
};

export type EscrowCreatedWebhookPayload = Event & {
    eventType?: 'escrow.created';
    aggregateType?: 'Escrow';
    payload?: {
        /**
         * Id with the prefix esc_
         */
        escrowId: string;
        /**
         * Id with the prefix ord_
         */
        orderId: string;
        /**
         * Decimal string with at least two decimal places
         */
        amount: string;
        /**
         * Currency code
         */
        currency: 'USD' | 'USDC' | 'XLM';
        /**
         * Contract address on the ledger network
         */
        providerContractId: string;
    };
};

export type EscrowCreatedWebhookRequest = {
    body: EscrowCreatedWebhookPayload;
    key: 'escrow.created';
    path?: never;
    query?: never;
};

export type EscrowFundingStartedWebhookPayload = Event & {
    eventType?: 'escrow.funding_started';
    aggregateType?: 'Escrow';
    payload?: {
        /**
         * Id with the prefix esc_
         */
        escrowId: string;
        /**
         * Id with the prefix ord_
         */
        orderId: string;
        /**
         * Contract address on the ledger network
         */
        providerContractId: string;
        /**
         * Decimal string with at least two decimal places
         */
        amount: string;
    };
};

export type EscrowFundingStartedWebhookRequest = {
    body: EscrowFundingStartedWebhookPayload;
    key: 'escrow.funding_started';
    path?: never;
    query?: never;
};

export type EscrowFundedWebhookPayload = Event & {
    eventType?: 'escrow.funded';
    aggregateType?: 'Escrow';
    payload?: {
        /**
         * Id with the prefix esc_
         */
        escrowId: string;
        /**
         * Id with the prefix ord_
         */
        orderId: string;
        /**
         * Contract address on the ledger network
         */
        providerContractId: string;
        /**
         * Decimal string with at least two decimal places
         */
        amount: string;
        /**
         * ISO 8601 timestamp in UTC with microseconds
         */
        fundedAt: string;
    };
};

export type EscrowFundedWebhookRequest = {
    body: EscrowFundedWebhookPayload;
    key: 'escrow.funded';
    path?: never;
    query?: never;
};

export type EscrowMilestoneCompletedWebhookPayload = Event & {
    eventType?: 'escrow.milestone_completed';
    aggregateType?: 'Escrow';
    payload?: {
        /**
         * Id with the prefix esc_
         */
        escrowId: string;
        /**
         * Id with the prefix ord_
         */
        orderId: string;
        milestoneRef: string;
        milestoneTitle: string;
        /**
         * Decimal string with at least two decimal places
         */
        amount: string;
        /**
         * ISO 8601 timestamp in UTC with microseconds
         */
        completedAt: string;
    };
};

export type EscrowMilestoneCompletedWebhookRequest = {
    body: EscrowMilestoneCompletedWebhookPayload;
    key: 'escrow.milestone_completed';
    path?: never;
    query?: never;
};

export type EscrowReleasedWebhookPayload = Event & {
    eventType?: 'escrow.released';
    aggregateType?: 'Escrow';
    payload?: {
        /**
         * Id with the prefix esc_
         */
        escrowId: string;
        /**
         * Id with the prefix ord_
         */
        orderId: string;
        /**
         * Decimal string with at least two decimal places
         */
        amount: string;
        /**
         * Currency code
         */
        currency: 'USD' | 'USDC' | 'XLM';
        /**
         * Id with the prefix usr_
         */
        sellerId: string;
        /**
         * Decimal string with at least two decimal places
         */
        platformFee: string;
        /**
         * Amount paid to the seller
         */
        netAmount: string;
        /**
         * ISO 8601 timestamp in UTC with microseconds
         */
        releasedAt: string;
        /**
         * Id with the prefix usr_
         */
        buyerId?: string;
        /**
         * Amount paid to the buyer after a split dispute
         */
        refundAmount?: string;
    };
};

export type EscrowReleasedWebhookRequest = {
    body: EscrowReleasedWebhookPayload;
    key: 'escrow.released';
    path?: never;
    query?: never;
};

export type EscrowRefundedWebhookPayload = Event & {
    eventType?: 'escrow.refunded';
    aggregateType?: 'Escrow';
    payload?: {
        /**
         * Id with the prefix esc_
         */
        escrowId: string;
        /**
         * Id with the prefix ord_
         */
        orderId: string;
        /**
         * Decimal string with at least two decimal places
         */
        amount: string;
        /**
         * Currency code
         */
        currency: 'USD' | 'USDC' | 'XLM';
        /**
         * Id with the prefix usr_
         */
        buyerId: string;
        /**
         * ISO 8601 timestamp in UTC with microseconds
         */
        refundedAt: string;
    };
};

export type EscrowRefundedWebhookRequest = {
    body: EscrowRefundedWebhookPayload;
    key: 'escrow.refunded';
    path?: never;
    query?: never;
};

export type TopupCreatedWebhookPayload = Event & {
    eventType?: 'topup.created';
    aggregateType?: 'TopUp';
    payload?: {
        /**
         * Id with the prefix usr_
         */
        userId: string;
        /**
         * Decimal string with at least two decimal places
         */
        amount: string;
        /**
         * Currency code
         */
        currency: 'USD' | 'USDC' | 'XLM';
    };
};

export type TopupCreatedWebhookRequest = {
    body: TopupCreatedWebhookPayload;
    key: 'topup.created';
    path?: never;
    query?: never;
};

export type TopupConfirmationRequiredWebhookPayload = Event & {
    eventType?: 'topup.confirmation_required';
    aggregateType?: 'TopUp';
    payload?: {
        /**
         * Id with the prefix topup_
         */
        topupId: string;
        confirmationUri: string;
    };
};

export type TopupConfirmationRequiredWebhookRequest = {
    body: TopupConfirmationRequiredWebhookPayload;
    key: 'topup.confirmation_required';
    path?: never;
    query?: never;
};

export type TopupProcessingWebhookPayload = Event & {
    eventType?: 'topup.processing';
    aggregateType?: 'TopUp';
    payload?: {
        /**
         * Id with the prefix topup_
         */
        topupId: string;
        /**
         * Id of the pay-in at the payment provider
         */
        providerPayinId: string;
    };
};

export type TopupProcessingWebhookRequest = {
    body: TopupProcessingWebhookPayload;
    key: 'topup.processing';
    path?: never;
    query?: never;
};

export type TopupSucceededWebhookPayload = Event & {
    eventType?: 'topup.succeeded';
    aggregateType?: 'TopUp';
    payload?: {
        /**
         * Id with the prefix topup_
         */
        topupId: string;
        /**
         * Id with the prefix usr_
         */
        userId: string;
        /**
         * Decimal string with at least two decimal places
         */
        amount: string;
        /**
         * Currency code
         */
        currency: 'USD' | 'USDC' | 'XLM';
        /**
         * Decimal string with at least two decimal places
         */
        newAvailableBalance: string;
        /**
         * Id of the pay-in at the payment provider
         */
        providerPayinId?: string;
    };
};

export type TopupSucceededWebhookRequest = {
    body: TopupSucceededWebhookPayload;
    key: 'topup.succeeded';
    path?: never;
    query?: never;
};

export type TopupFailedWebhookPayload = Event & {
    eventType?: 'topup.failed';
    aggregateType?: 'TopUp';
    payload?: {
        /**
         * Id with the prefix topup_
         */
        topupId: string;
        /**
         * Id with the prefix usr_
         */
        userId: string;
        /**
         * Decimal string with at least two decimal places
         */
        amount: string;
        reason: string;
        errorCode?: string;
        /**
         * Id of the pay-in at the payment provider
         */
        providerPayinId?: string;
    };
};

export type TopupFailedWebhookRequest = {
    body: TopupFailedWebhookPayload;
    key: 'topup.failed';
    path?: never;
    query?: never;
};

export type TopupCanceledWebhookPayload = Event & {
    eventType?: 'topup.canceled';
    aggregateType?: 'TopUp';
    payload?: {
        /**
         * Id with the prefix topup_
         */
        topupId: string;
        /**
         * Id with the prefix usr_
         */
        userId: string;
        /**
         * Decimal string with at least two decimal places
         */
        amount: string;
        canceledBy: string;
        reason?: string;
    };
};

export type TopupCanceledWebhookRequest = {
    body: TopupCanceledWebhookPayload;
    key: 'topup.canceled';
    path?: never;
    query?: never;
};

export type WithdrawalCreatedWebhookPayload = Event & {
    eventType?: 'withdrawal.created';
    aggregateType?: 'Withdrawal';
    payload?: {
        /**
         * Id with the prefix wd_
         */
        withdrawalId: string;
        /**
         * Id with the prefix usr_
         */
        userId: string;
        /**
         * Decimal string with at least two decimal places
         */
        amount: string;
        /**
         * Currency code
         */
        currency: 'USD' | 'USDC' | 'XLM';
        destinationType: string;
        destinationRef: string;
    };
};

export type WithdrawalCreatedWebhookRequest = {
    body: WithdrawalCreatedWebhookPayload;
    key: 'withdrawal.created';
    path?: never;
    query?: never;
};

export type WithdrawalCommittedWebhookPayload = Event & {
    eventType?: 'withdrawal.committed';
    aggregateType?: 'Withdrawal';
    payload?: {
        /**
         * Id with the prefix wd_
         */
        withdrawalId: string;
        /**
         * Id with the prefix usr_
         */
        userId: string;
        /**
         * Decimal string with at least two decimal places
         */
        amount: string;
        /**
         * Currency code
         */
        currency: 'USD' | 'USDC' | 'XLM';
        /**
         * The reserved amount
         */
        committedBalance: string;
        /**
         * Decimal string with at least two decimal places
         */
        availableBalance: string;
    };
};

export type WithdrawalCommittedWebhookRequest = {
    body: WithdrawalCommittedWebhookPayload;
    key: 'withdrawal.committed';
    path?: never;
    query?: never;
};

export type WithdrawalPendingWebhookPayload = Event & {
    eventType?: 'withdrawal.pending';
    aggregateType?: 'Withdrawal';
    payload?: {
        /**
         * Id with the prefix wd_
         */
        withdrawalId: string;
        /**
         * Id with the prefix usr_
         */
        userId: string;
        /**
         * Decimal string with at least two decimal places
         */
        amount: string;
        /**
         * Id of the payout at the payment provider, or transaction hash on the ledger network
         */
        providerPayoutId: string;
    };
};

export type WithdrawalPendingWebhookRequest = {
    body: WithdrawalPendingWebhookPayload;
    key: 'withdrawal.pending';
    path?: never;
    query?: never;
};

export type WithdrawalPendingUserActionWebhookPayload = Event & {
    eventType?: 'withdrawal.pending_user_action';
    aggregateType?: 'Withdrawal';
    payload?: {
        /**
         * Id with the prefix wd_
         */
        withdrawalId: string;
        /**
         * Id with the prefix usr_
         */
        userId: string;
        actionRequired: string;
        actionUrl?: string;
    };
};

export type WithdrawalPendingUserActionWebhookRequest = {
    body: WithdrawalPendingUserActionWebhookPayload;
    key: 'withdrawal.pending_user_action';
    path?: never;
    query?: never;
};

export type WithdrawalCompletedWebhookPayload = Event & {
    eventType?: 'withdrawal.completed';
    aggregateType?: 'Withdrawal';
    payload?: {
        /**
         * Id with the prefix wd_
         */
        withdrawalId: string;
        /**
         * Id with the prefix usr_
         */
        userId: string;
        /**
         * Decimal string with at least two decimal places
         */
        amount: string;
        /**
         * Currency code
         */
        currency: 'USD' | 'USDC' | 'XLM';
        /**
         * ISO 8601 timestamp in UTC with microseconds
         */
        completedAt: string;
        /**
         * Id of the payout at the payment provider, or transaction hash on the ledger network
         */
        providerPayoutId?: string;
    };
};

export type WithdrawalCompletedWebhookRequest = {
    body: WithdrawalCompletedWebhookPayload;
    key: 'withdrawal.completed';
    path?: never;
    query?: never;
};

export type WithdrawalFailedWebhookPayload = Event & {
    eventType?: 'withdrawal.failed';
    aggregateType?: 'Withdrawal';
    payload?: {
        /**
         * Id with the prefix wd_
         */
        withdrawalId: string;
        /**
         * Id with the prefix usr_
         */
        userId: string;
        /**
         * Decimal string with at least two decimal places
         */
        amount: string;
        reason: string;
        /**
         * Error code of the provider
         */
        errorCode?: string;
        /**
         * Id of the payout at the payment provider, or transaction hash on the ledger network
         */
        providerPayoutId?: string;
    };
};

export type WithdrawalFailedWebhookRequest = {
    body: WithdrawalFailedWebhookPayload;
    key: 'withdrawal.failed';
    path?: never;
    query?: never;
};

export type WithdrawalCanceledWebhookPayload = Event & {
    eventType?: 'withdrawal.canceled';
    aggregateType?: 'Withdrawal';
    payload?: {
        /**
         * Id with the prefix wd_
         */
        withdrawalId: string;
        /**
         * Id with the prefix usr_
         */
        userId: string;
        /**
         * Decimal string with at least two decimal places
         */
        amount: string;
        canceledBy: string;
        reason?: string;
        /**
         * Whether the amount is available again
         */
        refundedToBalance: boolean;
        /**
         * Decimal string with at least two decimal places
         */
        newAvailableBalance?: string;
    };
};

export type WithdrawalCanceledWebhookRequest = {
    body: WithdrawalCanceledWebhookPayload;
    key: 'withdrawal.canceled';
    path?: never;
    query?: never;
};

export type WebhookEndpointFailingWebhookPayload = Event & {
    eventType?: 'webhook_endpoint.failing';
    aggregateType?: 'WebhookEndpoint';
    payload?: {
        /**
         * Id with the prefix whk_
         */
        endpointId: string;
        url: string;
        /**
         * ISO 8601 timestamp in UTC with microseconds
         */
        failingSince: string | null;
        disabledAt: null;
        disabledReason: null;
    };
};

export type WebhookEndpointFailingWebhookRequest = {
    body: WebhookEndpointFailingWebhookPayload;
    key: 'webhook_endpoint.failing';
    path?: never;
    query?: never;
};

export type WebhookEndpointDisabledWebhookPayload = Event & {
    eventType?: 'webhook_endpoint.disabled';
    aggregateType?: 'WebhookEndpoint';
    payload?: {
        /**
         * Id with the prefix whk_
         */
        endpointId: string;
        url: string;
        /**
         * ISO 8601 timestamp in UTC with microseconds
         */
        failingSince: string | null;
        /**
         * ISO 8601 timestamp in UTC with microseconds
         */
        disabledAt: string;
        disabledReason: 'BY_HAND' | 'GONE' | 'FAILING';
    };
};

export type WebhookEndpointDisabledWebhookRequest = {
    body: WebhookEndpointDisabledWebhookPayload;
    key: 'webhook_endpoint.disabled';
    path?: never;
    query?: never;
};

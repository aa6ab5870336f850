// Written by `npm run generate` from the state tables of the services. Do not edit.

export const userStatuses = ['ACTIVE', 'SUSPENDED'] as const;

/** The states from which each move is allowed. */
export const userMoves = {
  suspend: ['ACTIVE'],
  reinstate: ['SUSPENDED'],
} as const;

export const disputeStatuses = ['OPEN', 'UNDER_REVIEW', 'RESOLVED'] as const;

/** The states from which each move is allowed. */
export const disputeMoves = {
  assign: ['OPEN'],
  resolve: ['UNDER_REVIEW'],
  settle: ['OPEN', 'UNDER_REVIEW'],
} as const;

export const milestoneStatuses = ['OPEN', 'SUBMITTED', 'COMPLETED', 'RELEASED', 'REFUNDED', 'DISPUTED', 'SPLIT'] as const;

/** The states from which each move is allowed. */
export const milestoneMoves = {
  submit: ['OPEN'],
  requestChanges: ['SUBMITTED'],
  complete: ['OPEN', 'SUBMITTED'],
  release: ['SUBMITTED', 'COMPLETED'],
  refund: ['OPEN', 'SUBMITTED', 'COMPLETED'],
  dispute: ['OPEN', 'SUBMITTED', 'COMPLETED'],
  paidToSeller: ['OPEN', 'SUBMITTED', 'COMPLETED', 'DISPUTED'],
  paidToBuyer: ['OPEN', 'SUBMITTED', 'COMPLETED', 'DISPUTED'],
  paidToBoth: ['OPEN', 'SUBMITTED', 'COMPLETED', 'DISPUTED'],
} as const;

export const orderStatuses = ['ORDER_CREATED', 'FUNDS_RESERVED', 'CLOSED', 'ESCROW_CREATING', 'ESCROW_FUNDING', 'IN_PROGRESS', 'RELEASE_REQUESTED', 'REFUND_REQUESTED', 'DISPUTED', 'RELEASED', 'REFUNDED'] as const;

/** The states from which each move is allowed. */
export const orderMoves = {
  reserve: ['ORDER_CREATED'],
  cancel: ['ORDER_CREATED', 'FUNDS_RESERVED'],
  createEscrow: ['FUNDS_RESERVED'],
  escrowCreated: ['ESCROW_CREATING'],
  escrowNotCreated: ['ESCROW_CREATING'],
  fund: ['ESCROW_FUNDING', 'FUNDS_RESERVED'],
  notFunded: ['ESCROW_FUNDING', 'FUNDS_RESERVED'],
  requestRelease: ['IN_PROGRESS'],
  requestRefund: ['IN_PROGRESS'],
  notSettled: ['RELEASE_REQUESTED', 'REFUND_REQUESTED'],
  dispute: ['IN_PROGRESS'],
  resolveByRelease: ['DISPUTED'],
  resolveByRefund: ['DISPUTED'],
  notResolved: ['RELEASE_REQUESTED', 'REFUND_REQUESTED'],
  release: ['IN_PROGRESS', 'RELEASE_REQUESTED', 'REFUND_REQUESTED', 'DISPUTED'],
  refund: ['IN_PROGRESS', 'RELEASE_REQUESTED', 'REFUND_REQUESTED', 'DISPUTED'],
  close: ['RELEASED', 'REFUNDED'],
} as const;

export const caseStatuses = ['OPEN', 'PENDING_APPROVAL', 'RESOLVED'] as const;

/** The states from which each move is allowed. */
export const caseMoves = {
  requestApproval: ['OPEN', 'PENDING_APPROVAL'],
  decide: ['OPEN', 'PENDING_APPROVAL'],
  resolve: ['OPEN'],
  reopen: ['RESOLVED'],
} as const;

export const topupStatuses = ['TOPUP_CREATED', 'TOPUP_AWAITING_USER_CONFIRMATION', 'TOPUP_PROCESSING', 'TOPUP_SUCCEEDED', 'TOPUP_FAILED', 'TOPUP_CANCELED'] as const;

/** The states from which each move is allowed. */
export const topupMoves = {
  awaitConfirmation: ['TOPUP_CREATED'],
  process: ['TOPUP_AWAITING_USER_CONFIRMATION'],
  succeed: ['TOPUP_PROCESSING', 'TOPUP_AWAITING_USER_CONFIRMATION'],
  fail: ['TOPUP_CREATED', 'TOPUP_AWAITING_USER_CONFIRMATION', 'TOPUP_PROCESSING'],
  cancel: ['TOPUP_CREATED', 'TOPUP_AWAITING_USER_CONFIRMATION'],
} as const;

export const withdrawalStatuses = ['WITHDRAWAL_CREATED', 'WITHDRAWAL_COMMITTED', 'WITHDRAWAL_PENDING_USER_ACTION', 'WITHDRAWAL_PENDING', 'WITHDRAWAL_COMPLETED', 'WITHDRAWAL_FAILED', 'WITHDRAWAL_CANCELED'] as const;

/** The states from which each move is allowed. */
export const withdrawalMoves = {
  commit: ['WITHDRAWAL_CREATED'],
  accept: ['WITHDRAWAL_COMMITTED', 'WITHDRAWAL_PENDING_USER_ACTION'],
  awaitUser: ['WITHDRAWAL_COMMITTED', 'WITHDRAWAL_PENDING'],
  complete: ['WITHDRAWAL_COMMITTED', 'WITHDRAWAL_PENDING', 'WITHDRAWAL_PENDING_USER_ACTION'],
  fail: ['WITHDRAWAL_COMMITTED', 'WITHDRAWAL_PENDING', 'WITHDRAWAL_PENDING_USER_ACTION'],
  cancel: ['WITHDRAWAL_CREATED', 'WITHDRAWAL_COMMITTED'],
} as const;

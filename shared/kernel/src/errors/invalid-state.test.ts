import { AppError } from './index.js';

const closed = { currentStatus: 'CLOSED', allowedStatuses: ['ORDER_CREATED', 'FUNDS_RESERVED'] };
const inProgress = { currentStatus: 'IN_PROGRESS', allowedStatuses: ['IN_PROGRESS'] };
const manyRefs = Array.from({ length: 12 }, (_, index) => `m${index + 1}`);

it.each([
  [closed, 'The status is CLOSED, but must be ORDER_CREATED or FUNDS_RESERVED.'],
  [{ currentStatus: 'CLOSED' }, 'The status is CLOSED.'],
  [{ ...inProgress, operation: 'refund' }, 'The operation refund is still running; repeat the request when it has ended.'],
  [{ ...inProgress, incompleteMilestones: ['draft', 'final'] }, 'These milestones are not completed: draft, final.'],
  [
    { ...inProgress, incompleteMilestones: manyRefs },
    'These milestones are not completed: m1, m2, m3, m4, m5, m6, m7, m8, m9, m10 and 2 more.',
  ],
  [{ ...inProgress, escrowStatus: 'DISPUTED' }, 'The escrow is DISPUTED, but must be FUNDED.'],
  [{ ...inProgress, escrowStatus: null }, 'There is no escrow.'],
  [{ ...closed, closeReason: 'RELEASED' }, 'The order was closed meanwhile: RELEASED.'],
  [{}, 'The current state does not allow this operation.'],
])('INVALID_STATE with %j says: %s', (details, message) => {
  expect(new AppError('INVALID_STATE', details).message).toBe(message);
});

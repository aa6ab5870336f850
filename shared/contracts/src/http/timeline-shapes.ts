import { z } from 'zod';
import { errorCodes } from '@holdfast/kernel/errors';
import { auditResults } from '../messages/index.js';
import { serviceNames } from '../services/index.js';
import { id, instant } from '../shapes/index.js';

/** The parts of a timeline that other services own. A part that cannot be read is named in the response. */
export const timelineParts = ['events', 'audit', 'network'] as const;
export type TimelinePart = (typeof timelineParts)[number];

/** The most recent entries of a timeline. */
export const timelineEntriesMax = 1_000;

export const stepStates = ['pending', 'current', 'done', 'failed', 'compensating', 'compensated', 'skipped'] as const;
export type StepState = (typeof stepStates)[number];

export const sagaRunStates = ['RUNNING', 'SUCCEEDED', 'FAILED'] as const;

export const transactionStates = ['OPEN', 'LANDED', 'FAILED', 'DEAD', 'MISMATCHED'] as const;

const reason = z
  .object({ code: z.enum(errorCodes).nullable().meta({ description: 'A code of the error catalogue' }), message: z.string() })
  .nullable()
  .meta({ description: 'Why it failed, or why nothing is tried again. Null otherwise' });

const retries = {
  attempts: z.int().min(0).meta({ description: 'How often it was tried again' }),
  nextRetryAt: instant.nullable().meta({ description: 'Null if nothing is tried again' }),
  reason,
};

const ofStep = {
  runId: id('run'),
  saga: z.string().meta({ description: 'Name of the saga', example: 'fund' }),
  step: z.string().meta({ description: 'Name of the step', example: 'deduct' }),
  by: z.enum(serviceNames).meta({ description: 'The service that carries it out' }),
  state: z.enum(stepStates).meta({
    description:
      '`current`: the run waits for it. `compensating`: it is being undone, because a later step has failed. `skipped`: the run has ended without it',
  }),
};

const at = instant.meta({ description: 'The list is sorted by it' });

const eventEntry = z.object({
  kind: z.literal('event'),
  at,
  eventId: id('evt'),
  eventType: z.string().meta({ example: 'order.created' }),
  aggregateType: z.string().meta({ example: 'Order' }),
  aggregateId: z.string().meta({ example: 'ord_01JB2M3N4P5Q6R7S8T9V0W1X2Y' }),
});

const auditTimelineEntry = z.object({
  kind: z.literal('audit'),
  at,
  auditId: id('aud'),
  action: z.string().meta({ example: 'RELEASE_REQUESTED' }),
  actorType: z.string().meta({ example: 'api_key' }),
  actorId: z.string().meta({ example: 'key_01JB2M3N4P5Q6R7S8T9V0W1X2Y' }),
  result: z.enum(auditResults),
  reason: z.string().nullable(),
});

const stepEntry = z.object({ kind: z.literal('saga_step'), at, ...ofStep, ...retries });

const transactionEntry = z.object({
  kind: z.literal('network_transaction'),
  at,
  runId: id('run'),
  hash: z.string().meta({ description: 'On the ledger network' }),
  operation: z.string().meta({ description: 'What it does with the escrow contract', example: 'fund' }),
  state: z.enum(transactionStates).meta({
    description: '`DEAD`: no ledger can contain it any more. `MISMATCHED`: it moved something else than it must',
  }),
  ledger: z.int().nullable().meta({ description: 'The ledger that contains it; null if none does' }),
});

const timerEntry = z.object({
  kind: z.literal('timer'),
  at: at.meta({ description: 'When it is due' }),
  timer: z.string().meta({ description: 'What happens if no party acts before', example: 'review' }),
  milestoneRef: z.string().nullable(),
  disputeId: id('dsp').nullable(),
  attempts: z.int().min(0),
  heldReason: z.string().nullable().meta({ description: 'Why it waits although it is due', example: 'SUSPENDED_PARTY' }),
});

export const timelineEntry = z.discriminatedUnion('kind', [
  eventEntry,
  auditTimelineEntry,
  stepEntry,
  transactionEntry,
  timerEntry,
]);
export type TimelineEntry = z.infer<typeof timelineEntry>;

const stepOfRun = z.object({
  step: ofStep.step,
  by: ofStep.by,
  does: z.string().meta({ description: 'What it does', example: 'funds the contract' }),
  compensates: z.string().nullable().meta({ description: 'The earlier step that it undoes; null if it undoes none' }),
  isOnMainPath: z.boolean().meta({ description: 'Whether a run that succeeds goes through it' }),
  state: ofStep.state,
  at: instant.nullable().meta({ description: 'When it was done, or begun; null if that is not recorded' }),
  ...retries,
});
export type TimelineStep = z.infer<typeof stepOfRun>;

const run = z.object({
  runId: ofStep.runId,
  saga: ofStep.saga,
  state: z.enum(sagaRunStates),
  startedAt: instant,
  endedAt: instant.nullable(),
  ...retries,
  steps: z.array(stepOfRun).meta({ description: 'All steps that the saga declares, in their order' }),
});
export type TimelineRun = z.infer<typeof run>;

const exampleStep = { attempts: 0, nextRetryAt: null, reason: null } as const;
const exampleAt = '2026-01-31T12:00:00.123456Z';

export const orderTimeline = z
  .object({
    orderId: id('ord'),
    entries: z.array(timelineEntry).max(timelineEntriesMax).meta({ description: 'Oldest first' }),
    isTruncated: z.boolean().meta({ description: 'Whether there are older entries, which are left out' }),
    runs: z.array(run).meta({ description: 'The sagas that the order went through in the last 30 days, oldest first' }),
    unavailable: z.array(z.enum(timelineParts)).meta({ description: 'Parts that could not be read just now' }),
  })
  .meta({
    id: 'OrderTimeline',
    example: {
      orderId: 'ord_01JB2M3N4P5Q6R7S8T9V0W1X2Y',
      entries: [
        {
          kind: 'event',
          at: exampleAt,
          eventId: 'evt_01JB2M3N4P5Q6R7S8T9V0W1X2Y',
          eventType: 'order.created',
          aggregateType: 'Order',
          aggregateId: 'ord_01JB2M3N4P5Q6R7S8T9V0W1X2Y',
        },
      ],
      isTruncated: false,
      runs: [
        {
          runId: 'run_01JB2M3N4P5Q6R7S8T9V0W1X2Y',
          saga: 'reserve',
          state: 'RUNNING',
          startedAt: exampleAt,
          endedAt: null,
          attempts: 0,
          nextRetryAt: '2026-01-31T12:00:30.123456Z',
          reason: null,
          steps: [
            {
              step: 'start',
              by: 'orders',
              does: 'stores the run',
              compensates: null,
              isOnMainPath: true,
              state: 'done',
              at: exampleAt,
              ...exampleStep,
            },
          ],
        },
      ],
      unavailable: [],
    },
  });
export type OrderTimelineRecord = z.infer<typeof orderTimeline>;

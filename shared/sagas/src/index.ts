export type {
  ActiveRun,
  Actor,
  Aggregate,
  AggregateKind,
  AuditedResource,
  Change,
  Event,
  NewAuditEntry,
  OutgoingMessage,
  RunEnd,
  SagaTx,
  Start,
  StartMessage,
} from './aggregate.js';
export { applyChange, command, endRun, event, outcomeOf, publishAuditEntries, publishCommand } from './apply-change.js';
export {
  abortOverdueRuns,
  findRun,
  openRuns,
  redriveRun,
  resendDueCommands,
  type DrivenRuns,
  type OnAggregate,
  type OpenRun,
  type OpenRunsQuery,
  type RedriveRun,
} from './drive-runs.js';
export { isReplyToActiveRun, originOfReply, originOfRequest, startOf, type Origin, type RunRef } from './origin.js';
export { requestedRuns } from './requested-runs.js';
export {
  runOutcomes,
  type EndedRun,
  type Failure,
  type JudgedRun,
  type NewSagaRun,
  type OpenRuns,
  type RunDeadlines,
  type RunFilter,
  type RunRetries,
  type Runs,
  type SagaOutcome,
  type SagaRun,
  type SagaRunOutcome,
} from './saga-run.js';

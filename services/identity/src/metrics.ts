import { defineCounter, type MetricDeclaration } from '@holdfast/observability';
import { attemptActions, attemptOutcomes } from './use-cases/account-ports.js';

export const accountAttempts = defineCounter('holdfast_account_attempts_total', 'Attempts to register and to log in', {
  action: attemptActions,
  outcome: attemptOutcomes,
});

export const metrics: readonly MetricDeclaration[] = [accountAttempts];

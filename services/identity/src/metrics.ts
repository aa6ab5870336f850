import { defineCounter, type MetricDeclaration } from '@holdfast/observability';
import { attemptActions, attemptOutcomes } from './use-cases/login-ports.js';

export const attempts = defineCounter('holdfast_login_attempts_total', 'Attempts to register and to log in', {
  action: attemptActions,
  outcome: attemptOutcomes,
});

export const metrics: readonly MetricDeclaration[] = [attempts];

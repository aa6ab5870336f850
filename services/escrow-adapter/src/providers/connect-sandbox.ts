import { connectSandboxControl, type SandboxControl } from '@holdfast/http/sandbox-control';
import type { ServiceRuntime } from '@holdfast/service-kit';
import type { Settings } from '../config.js';
import { isSandbox } from './provider-states.js';

/** The controls of the simulated systems. Undefined with a real one, and in production whatever the addresses are. */
export function connectSandbox({
  config,
  lifecycle,
}: Pick<ServiceRuntime<Settings>, 'config' | 'lifecycle'>): SandboxControl | undefined {
  const { NODE_ENV, ESCROW_PROVIDER_URL, LEDGER_HORIZON_URL } = config;
  if (NODE_ENV === 'production' || !isSandbox(ESCROW_PROVIDER_URL) || !isSandbox(LEDGER_HORIZON_URL)) return undefined;
  const control = connectSandboxControl(ESCROW_PROVIDER_URL);
  lifecycle.onStop('sandbox client', control.close);
  return control;
}

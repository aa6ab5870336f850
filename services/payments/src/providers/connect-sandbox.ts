import { connectSandboxControl, type SandboxControl } from '@holdfast/http/sandbox-control';
import type { ServiceRuntime } from '@holdfast/service-kit';
import type { Settings } from '../config.js';
import { isSandbox } from './provider-states.js';

/** The controls of the simulated provider. Undefined with a real one, and in production whatever the address is. */
export function connectSandbox({
  config,
  lifecycle,
}: Pick<ServiceRuntime<Settings>, 'config' | 'lifecycle'>): SandboxControl | undefined {
  const { NODE_ENV, PAYMENT_PROVIDER_URL: url } = config;
  if (NODE_ENV === 'production' || !isSandbox(url)) return undefined;
  const control = connectSandboxControl(url);
  lifecycle.onStop('sandbox client', control.close);
  return control;
}

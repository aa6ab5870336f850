import type { Handler } from '@holdfast/intents';
import type { Deps } from './use-cases/ports.js';

/** Kind of intent → use case. */
export function intentHandlers(_deps: () => Deps): Readonly<Record<string, Handler>> {
  return {};
}

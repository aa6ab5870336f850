import type { Command } from 'commander';
import type { Holdfast } from '@holdfast/sdk';
import { globalsOf, platformOf, type Context } from '../context.js';

type Method = (...given: readonly unknown[]) => unknown;

/** The SDK's client of the platform that the command names. */
export async function clientOf(context: Context, command: Command): Promise<Holdfast> {
  const { root, key } = platformOf(context, command);
  const { marketplace: marketplaceId } = globalsOf(command);
  const { Holdfast: Client } = await import('@holdfast/sdk');
  return new Client({ apiKey: key, baseUrl: root, marketplaceId });
}

/** The method of an operation: `orders.create`. */
export function methodOf(client: Holdfast, operation: string): Method {
  const [resource = '', name = ''] = operation.split('.');
  const methods: unknown = Reflect.get(client, resource);
  const method: unknown = typeof methods === 'object' && methods !== null ? Reflect.get(methods, name) : undefined;
  if (typeof method !== 'function') throw new Error(`the SDK has no ${operation}`);
  return (...given): unknown => Reflect.apply(method, methods, given);
}

import type { Command } from 'commander';
import { allRoutes, type RouteDeclaration } from '@holdfast/contracts/http';
import { outputOf, type Context } from '../context.js';
import { clientOf, methodOf } from './client.js';
import { groups, type Group } from './groups.js';
import { addRouteCommand, type RouteInput } from './route-command.js';

/** One command for each operation of the resources: the declared routes say its arguments and options, the SDK calls it. */
export function addResources(program: Command, context: Context): void {
  for (const [name, group] of Object.entries(groups)) {
    addOperations(program.command(name).description(group.description), context, group);
  }
}

/** The operations of a resource, in a group that may have other commands, too. */
export function addOperations(command: Command, context: Context, group: Group): void {
  for (const route of routesOf(group)) addRouteCommand(command, route, (given, of) => act(context, { group, route, given }, of));
}

function routesOf({ resource }: Pick<Group, 'resource'>): readonly RouteDeclaration[] {
  return allRoutes.filter(({ name, success }) => name.startsWith(`${resource}.`) && success.form === undefined);
}

type Call = { readonly group: Group; readonly route: RouteDeclaration; readonly given: RouteInput };

async function act(context: Context, { group, route, given }: Call, command: Command): Promise<void> {
  const output = outputOf(command);
  const call = methodOf(await clientOf(context, command), route.name);
  const { params, input, takesInput, limit } = given;
  const found = call(...params, ...(takesInput ? [input] : []));
  if (route.success.list !== true) {
    output.record(await found);
    return;
  }
  const { records, hasMore } = await take(found, limit);
  const isOwn = route.name === `${group.resource}.list`;
  output.list(records, isOwn ? group.columns : undefined);
  if (hasMore) output.note(`These are the first ${limit}; --limit shows more.`);
}

/** The SDK reads the next page only if it is needed. */
async function take(found: unknown, limit: number): Promise<{ readonly records: readonly unknown[]; readonly hasMore: boolean }> {
  const records: unknown[] = [];
  if (!isIterable(found)) return { records, hasMore: false };
  for await (const record of found) {
    if (records.length === limit) return { records, hasMore: true };
    records.push(record);
  }
  return { records, hasMore: false };
}

function isIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

import { InvalidArgumentError } from 'commander';
import { eventTypes } from '@holdfast/contracts/http';

/** Names of events, with `order.*` for all that begin so. */
export function expandTypes(named: readonly string[]): readonly string[] {
  return [...new Set(named.flatMap(typesOf))];
}

function typesOf(named: string): readonly string[] {
  const found = eventTypes.filter((type) => type === named || (named.endsWith('.*') && type.startsWith(named.slice(0, -1))));
  if (found.length === 0) throw new InvalidArgumentError(`There is no event "${named}"; docs/generated/events.md lists them.`);
  return found;
}

import { useSearchParams } from 'wouter';

export type Filters<Name extends string> = {
  /** As the address has them; empty ones are left out. */
  readonly values: Readonly<Partial<Record<Name, string>>>;
  /** Names the page in a request, after the filters: empty for the first one. */
  readonly page: { readonly cursor?: string };
  readonly cursor: string | undefined;
  /** Leads to the first page of the filtered list. */
  readonly set: (changes: Readonly<Partial<Record<Name, string>>>) => void;
  readonly clear: () => void;
  readonly turnTo: (cursor: string | undefined) => void;
};

/** Filters and page of a list are in the address, so that it can be sent to a colleague, and "back" leads back. */
export function useFilters<Name extends string>(names: readonly Name[]): Filters<Name> {
  const [search, setSearch] = useSearchParams();
  const found = names.flatMap((name): readonly (readonly [Name, string])[] => {
    const value = search.get(name) ?? '';
    return value === '' ? [] : [[name, value]];
  });
  const change = (entries: Readonly<Record<string, string | undefined>>): void =>
    setSearch((given) => {
      const next = new URLSearchParams(given);
      for (const [name, value = ''] of Object.entries(entries)) {
        if (value === '') next.delete(name);
        else next.set(name, value);
      }
      return next;
    });
  const cursor = search.get('cursor');
  const values: Partial<Record<Name, string>> = {};
  for (const [name, value] of found) values[name] = value;
  return {
    values,
    page: cursor === null ? {} : { cursor },
    cursor: cursor ?? undefined,
    set: (changes) => change({ ...changes, cursor: undefined }),
    clear: () => change(Object.fromEntries([...names, 'cursor'].map((name) => [name, undefined]))),
    turnTo: (cursor) => change({ cursor }),
  };
}

/** The value of a filter if it is one of these. An address that a person wrote may have any. */
export function choiceOf<Choice extends string>(choices: readonly Choice[], value: string | undefined): Choice | undefined {
  return choices.find((choice) => choice === value);
}

/** A text field of a record; a dash if there is none. */
export function textOf(record: unknown, field: string): string {
  const value: unknown =
    typeof record === 'object' && record !== null ? Object.entries(record).find(([name]) => name === field)?.[1] : undefined;
  return typeof value === 'string' ? value : '—';
}

/** Whether an endpoint with these types gets an event: `order.*` stands for all that begin with `order.`; an empty list for all. */
export function matchesTypes(types: readonly string[], eventType: string): boolean {
  if (types.length === 0) return true;
  return types.includes(eventType) || types.includes(`${eventType.slice(0, eventType.indexOf('.'))}.*`);
}

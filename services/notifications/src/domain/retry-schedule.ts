const gapsMax = 50;
const secondsMax = 604_800;

/** The gaps in seconds between the attempts of a webhook, from a text with commas. Undefined if it is malformed. */
export function retryGapsIn(text: string): readonly number[] | undefined {
  const parts = text.split(',').map((part) => part.trim());
  if (parts.length > gapsMax || !parts.every((part) => /^\d{1,6}$/.test(part))) return undefined;
  const gaps = parts.map(Number);
  return gaps.every((gap) => gap <= secondsMax) ? gaps : undefined;
}

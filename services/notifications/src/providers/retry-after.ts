const digits = /^\d{1,9}$/;
const httpDate = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** The header `Retry-After`, which has seconds or a date. Null if it is neither. */
export function retryAfterSeconds(header: string | readonly string[] | undefined, epochMs: number): number | null {
  const text = (typeof header === 'string' ? header : header?.[0])?.trim() ?? '';
  if (digits.test(text)) return Number(text);
  if (!httpDate.test(text)) return null;
  const until = Date.parse(text);
  return Number.isNaN(until) ? null : Math.max(0, Math.ceil((until - epochMs) / 1_000));
}

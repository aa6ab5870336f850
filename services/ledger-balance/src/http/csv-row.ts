/** A row of RFC 4180. A missing value is an empty cell. */
export function csvRow(cells: readonly (string | null)[]): string {
  return `${cells.map((value) => quoted(value ?? '')).join(',')}\r\n`;
}

/** Spreadsheets would run a text that begins like a formula. Amounts are not texts, and may begin with a minus. */
export function textCell(value: string | null): string | null {
  return value !== null && /^[=+\-@\t]/.test(value) ? `'${value}` : value;
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

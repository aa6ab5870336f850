/** The other spelling of a field in a request: `buyer_id` for `buyerId`. */
export function toSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

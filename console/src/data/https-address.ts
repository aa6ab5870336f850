/** The address of a text from outside if a person may follow it: https, without user info. Undefined for everything else. */
export function httpsAddress(text: string): string | undefined {
  if (!/^https:\/\//i.test(text) || !URL.canParse(text)) return undefined;
  const { protocol, username, password, href } = new URL(text);
  return protocol === 'https:' && username === '' && password === '' ? href : undefined;
}
